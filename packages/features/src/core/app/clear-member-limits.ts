import { type Database, endLoginFailures } from '@gatehouse/db';
import { MEMBER_HOLDERS } from './failures-in-a-row.js';
import type { Services } from './services.js';

/**
 * Clears every failed attempt to sign in as a member, by password or one-time password. Returns how many
 * counters there were.
 */
export async function clearMemberLimits(
  { limits }: Pick<Services, 'limits'>,
  tx: Database,
  memberId: number,
): Promise<number> {
  const logins = await limits.remove(`login:member:${memberId}:`, tx);
  const inARow = await endLoginFailures(tx, `${MEMBER_HOLDERS}${memberId}`);
  return logins + inARow + (await limits.remove(`one-time-password:${memberId}:`, tx));
}
