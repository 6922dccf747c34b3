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
  const rows = await db
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
  for (const { conversationId: id, ...participant } of rows) {
    present.set(id, [...(present.get(id) ?? []), participant]);
  }
  return present;
}
