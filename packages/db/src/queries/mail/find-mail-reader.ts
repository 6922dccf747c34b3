import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Locale } from '../../tables/members.js';

/** What a mail to a member goes by. */
export interface MailReader {
  locale: Locale;
  /** The key of their address, if they confirmed it. */
  confirmedKey: string | null;
  /** Whether its owner has shown to be the one who uses the account. */
  isProven: boolean;
}

/** The language of a member's mails, and whether their address is theirs. */
export async function findMailReader(db: Database, memberId: number): Promise<MailReader | undefined> {
  const { id, locale, emailKey, emailConfirmedAtMs, ownerProvenAtMs } = db.tables.members;
  const [row] = await db
    .select({ locale, emailKey, emailConfirmedAtMs, ownerProvenAtMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  if (row === undefined) return undefined;
  const isConfirmed = row.emailConfirmedAtMs !== null;
  return {
    locale: row.locale,
    confirmedKey: isConfirmed ? row.emailKey : null,
    isProven: isConfirmed && row.ownerProvenAtMs !== null,
  };
}
