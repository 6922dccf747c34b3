import { and, asc, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { idList, inIds, pinnedTo } from './paging.js';
import { prepareRead } from './prepared.js';

/** Whether an account has a conversation that is not removed. */
export async function hasConversation(
  db: Database,
  { accountId, conversationId }: { accountId: number; conversationId: number },
): Promise<boolean> {
  const { conversations } = db.tables;
  const [row] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.id, conversationId),
        eq(conversations.accountId, accountId),
        eq(conversations.isDeleted, false),
      ),
    );
  return row !== undefined;
}

/** Whether a member takes part in a conversation. */
export async function isParticipant(
  db: Database,
  { conversationId, memberId }: { conversationId: number; memberId: number },
): Promise<boolean> {
  const { participants } = db.tables;
  const [row] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.conversationId, conversationId), eq(participants.memberId, memberId)));
  return row !== undefined;
}

/** A participant of a conversation. */
export interface Participant {
  id: number;
  firstName: string;
  lastName: string;
}

const SHOWN = 20;

/** The first twenty participants of each conversation by id, keyed by conversation id. */
export async function listFirstParticipants(
  db: Database,
  conversationIds: readonly number[],
): Promise<ReadonlyMap<number, Participant[]>> {
  const present = new Map<number, Participant[]>();
  if (conversationIds.length === 0) return present;
  const most = conversationIds.length * SHOWN;
  const ids = idList(db, conversationIds);
  const all = await preparedList(db, { ids, limit: most + 1 });
  const rows = all.length <= most ? all : await preparedRanks(db, { ids });
  for (const { conversationId, id, firstName, lastName } of rows) {
    const shown = present.get(conversationId) ?? [];
    if (shown.length === 0) present.set(conversationId, shown);
    if (shown.length < SHOWN) shown.push({ id, firstName, lastName });
  }
  return present;
}

/**
 * Participants by conversation and id, up to a total limit. That covers all unless a conversation has very
 * many.
 */
const preparedList = prepareRead((db) => {
  const { participants, members } = db.tables;
  return db
    .select({
      conversationId: participants.conversationId,
      id: members.id,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(participants)
    .innerJoin(members, eq(members.id, participants.memberId))
    .where(inIds(db, participants.conversationId, sql.placeholder('ids')))
    .orderBy(asc(participants.conversationId), asc(participants.memberId))
    .limit(sql.placeholder('limit'));
});

/** The first participants of each conversation. It numbers every participant, which costs more when there are few. */
const preparedRanks = prepareRead((db) => {
  const { participants, members } = db.tables;
  const { conversationId, memberId } = participants;
  const place = sql<number>`row_number() over (partition by ${conversationId} order by ${memberId})`.as(
    'place',
  );
  const ranked = db
    .select({ conversationId, memberId, place })
    .from(participants)
    .where(inIds(db, conversationId, sql.placeholder('ids')))
    .as('ranked');
  return db
    .select({
      conversationId: ranked.conversationId,
      id: members.id,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(ranked)
    .innerJoin(members, eq(members.id, ranked.memberId))
    .where(lte(ranked.place, SHOWN))
    .orderBy(asc(ranked.conversationId), asc(members.id));
});

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
  return preparedMessages(db, { conversationId, afterId, limit });
}

const preparedMessages = prepareRead((db) => {
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

/** Removes a subject of an account. `gone` when it was already removed, `unknown` when the account never had it. */
export async function removeSubject(
  tx: Database,
  { subjectId, accountId, nowMs }: { subjectId: number; accountId: number; nowMs: number },
): Promise<'removed' | 'gone' | 'unknown'> {
  const { subjects } = tx.tables;
  const own = and(eq(subjects.id, subjectId), eq(subjects.accountId, accountId));
  const rows = await tx.write(
    tx
      .update(subjects)
      .set({ isDeleted: true, deletedAtMs: nowMs })
      .where(and(own, eq(subjects.isDeleted, false))),
  );
  if (rows === 1) return 'removed';
  const [known] = await tx.select({ id: subjects.id }).from(subjects).where(own);
  return known ? 'gone' : 'unknown';
}
