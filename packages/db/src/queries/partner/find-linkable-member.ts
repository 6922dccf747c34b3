import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A member who may be linked to a partner, by id or address key: neither deleted nor staff. */
export async function findLinkableMember(
  db: Database,
  member: { readonly id: number } | { readonly emailKey: string },
): Promise<{ id: number } | undefined> {
  const { members } = db.tables;
  const isNamed = 'id' in member ? eq(members.id, member.id) : eq(members.emailKey, member.emailKey);
  const [row] = await db
    .select({ id: members.id })
    .from(members)
    .where(and(isNamed, eq(members.isDeleted, false), eq(members.isPersonnel, false)));
  return row;
}
