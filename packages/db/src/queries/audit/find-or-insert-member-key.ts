import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from '../access/lock-rows.js';
import { given, prepareRead } from '../prepared.js';

const findKey = prepareRead<{ key: string }, { memberId: number }>((db) => {
  const { memberKeys } = db.tables;
  const { memberId, key } = memberKeys;
  return db
    .select({ key })
    .from(memberKeys)
    .where(eq(memberId, given(memberId, 'memberId')));
});

/**
 * The encrypted key of a member. Stores the proposed one if there is none; of concurrent calls the first wins
 * for all.
 */
export async function findOrInsertMemberKey(
  tx: Database,
  proposal: { memberId: number; key: () => string; nowMs: number },
): Promise<string> {
  const { memberKeys } = tx.tables;
  const { memberId, nowMs } = proposal;
  const find = async () => (await findKey(tx, { memberId }))[0]?.key;
  const known = await find();
  if (known !== undefined) return known;
  const key = proposal.key();
  if (await tx.insertOnce(memberKeys, { memberId, key, createdAtMs: nowMs })) return key;
  const where = eq(memberKeys.memberId, memberId);
  await lockRows(tx, memberKeys, { column: memberKeys.key, where, mode: 'share' });
  return (await find()) ?? key;
}
