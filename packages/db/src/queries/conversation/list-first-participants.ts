import { asc, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds, idList } from '../page/among-ids.js';
import { prepareRead } from '../prepared.js';

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
    .where(amongIds(db, participants.conversationId, sql.placeholder('ids')))
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
    .where(amongIds(db, conversationId, sql.placeholder('ids')))
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
