import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { pinnedTo } from '../page/pinned-to.js';
import { listFirstParticipants, type Participant } from './list-first-participants.js';

/** A conversation, and of those who take part in it the first twenty by id. */
export interface ConversationRow {
  id: number;
  title: string;
  createdAtMs: number;
  lastMessageAtMs: number | null;
  subject: { id: number; name: string } | null;
  participants: Participant[];
}

/**
 * The conversations of an account, newest first, removed ones left out; `beforeId` pages on.
 *
 * @param page `participantId` leaves only the conversations in which that member takes part
 */
export async function listConversations(
  db: Database,
  accountId: number,
  page: { beforeId?: number | undefined; participantId?: number | undefined; limit: number },
): Promise<ConversationRow[]> {
  const { conversations, participants, subjects } = db.tables;
  const { id, title, createdAtMs, lastMessageAtMs } = conversations;
  const { participantId, beforeId } = page;
  const columns = {
    id,
    title,
    createdAtMs,
    lastMessageAtMs,
    subject: { id: subjects.id, name: subjects.name },
  };
  // As an expression, or MariaDB would begin with all conversations of the account and sort them.
  const inAccountAfterwards = sql`${conversations.accountId} + 0 = ${accountId}`;
  const isLive = eq(conversations.isDeleted, false);
  const subject = and(eq(subjects.id, conversations.subjectId), eq(subjects.isDeleted, false));

  const rows =
    participantId === undefined
      ? await db
          .select(columns)
          .from(conversations)
          .leftJoin(subjects, subject)
          .where(
            and(
              pinnedTo(db, conversations.accountId, accountId),
              isLive,
              beforeId === undefined ? undefined : lt(id, beforeId),
            ),
          )
          .orderBy(desc(conversations.accountId), desc(conversations.isDeleted), desc(id))
          .limit(page.limit)
      : await db
          .select(columns)
          .from(participants)
          .innerJoin(conversations, eq(id, participants.conversationId))
          .leftJoin(subjects, subject)
          .where(
            and(
              pinnedTo(db, participants.memberId, participantId),
              beforeId === undefined ? undefined : lt(participants.conversationId, beforeId),
              inAccountAfterwards,
              isLive,
            ),
          )
          .orderBy(desc(participants.memberId), desc(participants.conversationId))
          .limit(page.limit);

  const present = await listFirstParticipants(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, participants: present.get(row.id) ?? [] }));
}
