import { type Database, removeLimits } from '@gatehouse/db';
import { unlockLogins } from './login-limits.js';

/** Forgets every failed attempt to sign in as a member, by password or one-time password; returns how many counters. */
export async function clearMemberLimits(tx: Database, memberId: number): Promise<number> {
  const logins = await unlockLogins(tx, memberId);
  return logins + (await removeLimits(tx, `one-time-password:${memberId}:`));
}
