import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  type Database,
  findMemberAddress,
  isActiveAt,
  type MemberAddress,
  proveOwner,
  setPendingAwaits,
} from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { awaitedEnds } from '../../core/member-view.js';
import { moveAddress } from '../move-address.js';
import { queueActivation } from '../queue-activation.js';
import { takesProofToMove } from '../takes-proof-to-move.js';

/** A pending change of address. */
export type PendingChange = MemberAddress & { readonly pendingEmailKey: string };

/** The change that a member awaits now, if it is the one requested at `sinceMs`. */
export async function findPending(
  tx: Database,
  { memberId, sinceMs }: { memberId: number; sinceMs: number },
  nowMs: number,
): Promise<PendingChange | undefined> {
  const member = await findMemberAddress(tx, memberId);
  if (!member || !isActiveAt(member, nowMs) || member.pendingSinceMs !== sinceMs) return undefined;
  const { pendingEmailKey } = member;
  return pendingEmailKey === null ? undefined : { ...member, pendingEmailKey };
}

/** @throws {AppError} `invalid_token` if the change was canceled, replaced or completed, or the member is not active */
export async function requirePending(
  tx: Database,
  change: { memberId: number; sinceMs: number },
  nowMs: number,
): Promise<PendingChange> {
  const pending = await findPending(tx, change, nowMs);
  if (pending === undefined) throw new AppError('invalid_token');
  return pending;
}

/**
 * Records that the old mailbox agrees, and moves the address if the new one has agreed before. The caller has locked the
 * member's row.
 * @returns whether the address changed
 * @throws {AppError} as `moveAddress` does
 */
export async function agree(
  tx: AccessTransaction,
  services: Services,
  member: PendingChange,
): Promise<boolean> {
  const { id: memberId, pendingEmail, pendingEmailKey: emailKey, pendingAwaits } = member;
  const nowMs = services.now();
  // Another link to the present mailbox was used since this one was mailed.
  if (!awaitedEnds(member).includes('old')) return false;
  if (await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', nowMs })) return false;
  if (pendingAwaits === 'old' && pendingEmail !== null && (await takesProofToMove(tx, memberId))) {
    // The second factor was added after the click in the new mailbox, which is asked again.
    await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', from: 'old', nowMs });
    await queueActivation(tx, services, { memberId, email: pendingEmail });
    return false;
  }
  await moveAddress(tx, services, { memberId, emailKey });
  if (pendingAwaits === 'proven') await proveOwner(tx, { memberId, expectedPassword: undefined, nowMs });
  return true;
}
