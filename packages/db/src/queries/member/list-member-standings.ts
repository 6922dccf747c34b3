import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { banEnd } from '../access/ban-columns.js';
import { amongIds, idList } from '../page/among-ids.js';
import { prepareRead } from '../prepared.js';

/** Whether a member is staff, until when they are banned, and what decides whether they may own an account. */
export interface MemberStanding {
  memberId: number;
  isPersonnel: boolean;
  /** When the address was proved together with the password or a session; null until then. */
  ownerProvenAtMs: number | null;
  /** The highest level of authentication that their factors reach. */
  factorLevel: number;
  /** See `isBanned`. */
  bannedUntilMs: number;
}

/**
 * The standing of each of the given members, deleted ones included.
 * @param rpId the relying party whose passkeys count; none do without it
 */
export async function listMemberStandings(
  db: Database,
  ids: readonly number[],
  rpId: string | undefined,
): Promise<ReadonlyMap<number, MemberStanding>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared(db, { ids: idList(db, ids), rpId: rpId ?? '' });
  return new Map(rows.map((row) => [row.memberId, row]));
}

const prepared = prepareRead((db) => {
  const { members, passkeys, totpFactors } = db.tables;
  const { id, isPersonnel, ownerProvenAtMs } = members;
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.memberId} = ${id} and ${passkeys.suspectAtMs} is null and ${passkeys.rpId} = ${sql.placeholder('rpId')})`;
  const hasTotp = sql`exists (select 1 from ${totpFactors} where ${totpFactors.memberId} = ${id} and ${totpFactors.confirmedAtMs} is not null)`;
  const factorLevel = sql<number>`case when ${hasPasskey} then 3 when ${hasTotp} then 2 else 1 end`;
  return db
    .select({
      memberId: id,
      isPersonnel,
      ownerProvenAtMs,
      factorLevel: factorLevel.mapWith(Number),
      bannedUntilMs: banEnd(db.tables),
    })
    .from(members)
    .where(amongIds(db, members.id, sql.placeholder('ids')));
});
