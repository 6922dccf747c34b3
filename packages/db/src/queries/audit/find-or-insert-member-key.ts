import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from '../access/lock-rows.js';

/**
 * The encrypted key of a member. Stores the proposed one if there is none; of concurrent calls the first wins
 * for all.
 */
export async function findOrInsertMemberKey(
  tx: Database,
  proposal: { memberId: number; key: () => string; nowMs: number },
): Promise<string> {
  const { memberKeys } = tx.tables;
  const where = eq(memberKeys.memberId, proposal.memberId);
  const find = async () => (await tx.select({ key: memberKeys.key }).from(memberKeys).where(where))[0]?.key;
  const known = await find();
  if (known !== undefined) return known;
  const key = proposal.key();
  const { memberId, nowMs } = proposal;
  if (await tx.insertOnce(memberKeys, { memberId, key, createdAtMs: nowMs })) return key;
  await lockRows(tx, memberKeys, { column: memberKeys.key, where, mode: 'share' });
  return (await find()) ?? key;
}
