import { desc } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The highest ids in use, 0 for an empty table. */
export interface LastIds {
  memberId: number;
  accountId: number;
  conversationId: number;
  subjectId: number;
}

/** The first free ids for rows with chosen ids. Nobody else may write meanwhile. */
export async function findLastIds(db: Database): Promise<LastIds> {
  const { members, accounts, conversations, subjects } = db.tables;
  const [[member], [account], [conversation], [subject]] = await Promise.all([
    db.select({ id: members.id }).from(members).orderBy(desc(members.id)).limit(1),
    db.select({ id: accounts.id }).from(accounts).orderBy(desc(accounts.id)).limit(1),
    db.select({ id: conversations.id }).from(conversations).orderBy(desc(conversations.id)).limit(1),
    db.select({ id: subjects.id }).from(subjects).orderBy(desc(subjects.id)).limit(1),
  ]);
  return {
    memberId: member?.id ?? 0,
    accountId: account?.id ?? 0,
    conversationId: conversation?.id ?? 0,
    subjectId: subject?.id ?? 0,
  };
}
