import { asc, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** Somebody who takes part in a conversation. */
export interface Participant {
  id: number;
  firstName: string;
  lastName: string;
}

const SHOWN = 20;

/** Of each conversation the first twenty participants by id, by the id of the conversation. */
export async function listFirstParticipants(
  db: Database,
  conversationIds: readonly number[],
): Promise<ReadonlyMap<number, Participant[]>> {
  const present = new Map<number, Participant[]>();
  if (conversationIds.length === 0) return present;
  const most = conversationIds.length * SHOWN;
  const all = await listParticipants(db, conversationIds, most + 1);
  const rows = all.length <= most ? all : await listRankedParticipants(db, conversationIds);
  for (const { conversationId, ...participant } of rows) {
    const shown = present.get(conversationId) ?? [];
    if (shown.length < SHOWN) present.set(conversationId, [...shown, participant]);
  }
  return present;
}

type ParticipantRow = Participant & { conversationId: number };

/** By conversation and id, at most so many: all there are, where no conversation has very many. */
function listParticipants(
  db: Database,
  conversationIds: readonly number[],
  limit: number,
): Promise<ParticipantRow[]> {
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
    .where(amongIds(db, participants.conversationId, conversationIds))
    .orderBy(asc(participants.conversationId), asc(participants.memberId))
    .limit(limit);
}

/** The first of each; it numbers every participant of these conversations, which costs more where there are few. */
function listRankedParticipants(db: Database, conversationIds: readonly number[]): Promise<ParticipantRow[]> {
  const { participants, members } = db.tables;
  const { conversationId, memberId } = participants;
  const place = sql<number>`row_number() over (partition by ${conversationId} order by ${memberId})`.as(
    'place',
  );
  const ranked = db
    .select({ conversationId, memberId, place })
    .from(participants)
    .where(amongIds(db, conversationId, conversationIds))
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
}
