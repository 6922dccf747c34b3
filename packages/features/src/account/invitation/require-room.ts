import { AppError } from '@gatehouse/auth-core';
import { countOpenInvitations } from '@gatehouse/db';
import { isVouchedFor } from './is-vouched-for.js';
import type { InvitationJudge } from './state-now.js';

const MOST_PENDING = 100;

/**
 * Refuses another invitation if the account has reached the limit of pending ones. Void ones do not count.
 * @throws {AppError} `invitation_limit`
 */
export async function requireRoom(judge: InvitationJudge, accountId: number): Promise<void> {
  const open = await countOpenInvitations(judge.db, { accountId, nowMs: judge.nowMs });
  if (open.reduce((sum, { count }) => sum + count, 0) < MOST_PENDING) return;
  let pending = 0;
  for (const group of open) {
    if (await isVouchedFor(judge.roles, judge.access, { accountId, ...group })) pending += group.count;
  }
  if (pending >= MOST_PENDING) throw new AppError('invitation_limit');
}
