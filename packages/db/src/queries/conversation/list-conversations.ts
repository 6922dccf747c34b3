import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { pinnedTo } from '../page/pinned-to.js';
import { prepareRead } from '../prepared.js';
import { listFirstParticipants, type Participant } from './list-first-participants.js';

/** A conversation with its first twenty participants by id. */
export interface ConversationRow {
  id: number;
  title: string;
  createdAtMs: number;
  lastMessageAtMs: number | null;
  subject: { id: number; name: string } | null;
  participants: Participant[];
}

/**
 * The conversations of an account, newest first, without removed ones; `beforeId` pages on.
 * @param page with `participantId`, only the conversations of that member
 */
export async function listConversations(
  db: Database,
  accountId: number,
  page: { beforeId?: number | undefined; participantId?: number | undefined; limit: number },
): Promise<ConversationRow[]> {
  const { beforeId = Number.MAX_SAFE_INTEGER, participantId, limit } = page;
  const rows =
    participantId === undefined
      ? await preparedForAll(db, { accountId, beforeId, limit })
      : await preparedForOne(db, { accountId, beforeId, limit, participantId });
  const present = await listFirstParticipants(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ participants: present.get(row.id) ?? [], ...row }));
}

const preparedForAll = prepareRead((db) => {
  const { conversations, subjects } = db.tables;
  return db
    .select(columns(db))
    .from(conversations)
    .leftJoin(subjects, subjectOf(db))
    .where(
      and(
        pinnedTo(db, conversations.accountId, sql.placeholder('accountId')),
        eq(conversations.isDeleted, false),
        lt(conversations.id, sql.placeholder('beforeId')),
      ),
    )
    .orderBy(desc(conversations.accountId), desc(conversations.isDeleted), desc(conversations.id))
    .limit(sql.placeholder('limit'));
});

const preparedForOne = prepareRead((db) => {
  const { conversations, participants, subjects } = db.tables;
  // An expression, because otherwise MariaDB reads all conversations of the account and sorts them.
  const inAccountAfterwards = sql`${conversations.accountId} + 0 = ${sql.placeholder('accountId')}`;
  return db
    .select(columns(db))
    .from(participants)
    .innerJoin(conversations, eq(conversations.id, participants.conversationId))
    .leftJoin(subjects, subjectOf(db))
    .where(
      and(
        pinnedTo(db, participants.memberId, sql.placeholder('participantId')),
        lt(participants.conversationId, sql.placeholder('beforeId')),
        inAccountAfterwards,
        eq(conversations.isDeleted, false),
      ),
    )
    .orderBy(desc(participants.memberId), desc(participants.conversationId))
    .limit(sql.placeholder('limit'));
});

function columns({ tables: { conversations, subjects } }: Database) {
  const { id, title, createdAtMs, lastMessageAtMs } = conversations;
  return { id, title, createdAtMs, lastMessageAtMs, subject: { id: subjects.id, name: subjects.name } };
}

function subjectOf({ tables: { conversations, subjects } }: Database) {
  return and(eq(subjects.id, conversations.subjectId), eq(subjects.isDeleted, false));
}
