import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Locale } from '../../tables/members.js';

/** The language of a member's mails. */
export async function findMemberLocale(db: Database, memberId: number): Promise<Locale | undefined> {
  const { id, locale } = db.tables.members;
  const [row] = await db.select({ locale }).from(db.tables.members).where(eq(id, memberId));
  return row?.locale;
}
