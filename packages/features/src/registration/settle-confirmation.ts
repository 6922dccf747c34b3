import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeAccess,
  confirmAddress,
  consumeToken,
  findCredential,
  findMemberAddress,
  proveOwner,
  setPendingAwaits,
} from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context, Services } from '../core/context.js';
import { awaitedEnds } from '../core/member-view.js';
import type { Confirmation } from './find-confirmation.js';
import { moveAddress } from './move-address.js';
import { checkOwnerProof, type OwnerProof } from './owner-proof.js';
import { takesProofToMove } from './takes-proof-to-move.js';

/**
 * Consumes the link and records the proof, in one transaction; false if it was used before.
 * @throws {AppError} `invalid_token` if the address is no longer the member's, `email_taken` if somebody else
 * has it by now, `password_required` without a proof for the next address of a member with a second factor, and as
 * `checkPassword` and `checkCodeProof` do
 */
export async function settleConfirmation(
  ctx: Context,
  confirmation: Confirmation,
  sent: OwnerProof,
): Promise<boolean> {
  const { services } = ctx;
  const { memberId, isPending } = confirmation;
  const checked = await checkOwnerProof(ctx, { memberId, sent });
  const nowMs = services.now();
  const isSettled = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    if (!(await consumeToken(tx, confirmation.consume))) return false;
    const reader = createLockedReader(tx, nowMs);
    await reader.lockMember(memberId, 'exclusive');
    const isProof = await checked.isShown(tx, reader, nowMs);
    const awaitsOld = await settle(tx, services, { confirmation, isProof });
    if (isProof && !awaitsOld)
      await proveOwner(tx, { memberId, expectedPassword: checked.expectedPassword, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: isPending && !awaitsOld ? 'address.changed' : 'address.confirmed',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
    });
    return true;
  }).catch(async (error: unknown) => {
    await checked.afterRefusal(error);
    throw error;
  });
  await checked.succeed();
  if (isSettled) services.wakeups.wake('mail');
  return isSettled;
}

/**
 * Whether the present mailbox has yet to agree. The rows are locked, so this cannot change before the write.
 */
async function settle(
  tx: AccessTransaction,
  services: Services,
  { confirmation, isProof }: { confirmation: Confirmation; isProof: boolean },
): Promise<boolean> {
  const { memberId, emailKey, isPending, sessionId } = confirmation;
  const nowMs = services.now();
  if (!isPending) {
    if (!(await confirmAddress(tx, { memberId, emailKey, nowMs }))) throw new AppError('invalid_token');
    return false;
  }
  const awaits = isProof ? 'proven' : 'old';
  const address = await findMemberAddress(tx, memberId);
  if (!isProof && (await takesProofToMove(tx, memberId))) throw new AppError('password_required');
  // Another link to the new mailbox was used since this one was read.
  if (address?.pendingEmailKey === emailKey && !awaitedEnds(address).includes('new')) return true;
  if (await setPendingAwaits(tx, { memberId, emailKey, awaits, nowMs })) {
    const holder = await findCredential(tx, emailKey);
    if (holder !== undefined && holder.id !== memberId) throw new AppError('email_taken');
    return true;
  }
  await moveAddress(tx, services, { memberId, emailKey, sessionId });
  return false;
}
