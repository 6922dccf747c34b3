import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { pinnedTo } from '../page/pinned-to.js';
import { prepareRead } from '../prepared.js';

/** A message, with the author's current names. */
export interface MessageRow {
  id: number;
  memberId: number;
  firstName: string;
  lastName: string;
  body: string;
  createdAtMs: number;
}

/** The messages of a conversation, oldest first, including those of deleted members; `afterId` pages on. */
export async function listMessages(
  db: Database,
  conversationId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<MessageRow[]> {
  return prepared(db, { conversationId, afterId, limit });
}

const prepared = prepareRead((db) => {
  const { messages, members } = db.tables;
  const { id, memberId, body, createdAtMs } = messages;
  return db
    .select({
      id,
      memberId,
      firstName: members.firstName,
      lastName: members.lastName,
      body,
      createdAtMs,
    })
    .from(messages)
    .innerJoin(members, eq(members.id, memberId))
    .where(
      and(
        pinnedTo(db, messages.conversationId, sql.placeholder('conversationId')),
        gt(id, sql.placeholder('afterId')),
      ),
    )
    .orderBy(asc(messages.conversationId), asc(id))
    .limit(sql.placeholder('limit'));
});
