import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeAccess,
  confirmAddress,
  consumeToken,
  findCredential,
  findCredentialById,
  findMemberAddress,
  proveOwner,
  setPendingAwaits,
} from '@gatehouse/db';
import { createLockedReader } from '../access/create-locked-reader.js';
import type { Context } from '../app/context.js';
import { awaitedEnds } from '../app/member-view.js';
import type { Services } from '../app/services.js';
import { recordAudit } from '../audit/record-audit.js';
import { checkCodeProof } from '../second-factor/check-code-proof.js';
import { kindOfCode } from '../second-factor/factor-proof.js';
import { checkPasswordOf } from './check-password-of.js';
import type { Confirmation } from './find-confirmation.js';
import { holdsSessionOf } from './holds-session-of.js';
import { moveAddress } from './move-address.js';
import { takesProofToMove } from './takes-proof-to-move.js';

/** What shows that the reader of the mailbox is the member: one of these, or a session. */
export interface ConfirmationProof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly backupCode?: string | undefined;
}

/** No code was ever mailed for it. */
const NO_MAILED_CODE = '';

/**
 * Consumes the link and records the proof, in one transaction; false if it was used before.
 * @throws {AppError} `invalid_token` if the address is no longer the member's, `email_taken` if somebody else
 * has it by now, `password_required` without a proof for the next address of a member with a second factor, and as
 * `checkPassword` and `checkCodeProof` do
 */
export async function settleConfirmation(
  ctx: Context,
  confirmation: Confirmation,
  { password, ...codes }: ConfirmationProof,
): Promise<boolean> {
  const { services } = ctx;
  const { memberId, isPending } = confirmation;
  const expectedPassword =
    password === undefined ? undefined : await checkPasswordOf(ctx, memberId, password);
  const checked =
    kindOfCode(codes) === undefined ? undefined : await checkCodeProof(ctx, memberId, codes, NO_MAILED_CODE);
  const isShown = expectedPassword !== undefined || checked !== undefined;
  const isSignedIn = !isShown && (await holdsSessionOf(ctx, services.access, memberId));
  const nowMs = services.now();
  const isSettled = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    if (!(await consumeToken(tx, confirmation.consume))) return false;
    const reader = createLockedReader(tx, nowMs);
    await reader.lockMember(memberId, 'exclusive');
    // The password was compared before the row was locked, and may have been changed since.
    if (
      expectedPassword !== undefined &&
      (await findCredentialById(tx, memberId))?.password !== expectedPassword
    )
      throw new AppError('invalid_credentials', { sent: 'password' });
    await checked?.consume(tx, nowMs);
    const isProof = isShown || (isSignedIn && (await holdsSessionOf(ctx, reader, memberId)));
    const awaitsOld = await settle(tx, services, { confirmation, isProof });
    if (isProof && !awaitsOld) await proveOwner(tx, { memberId, expectedPassword, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: isPending && !awaitsOld ? 'address.changed' : 'address.confirmed',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
    });
    return true;
  }).catch(async (error: unknown) => {
    await checked?.afterRefusal(error);
    throw error;
  });
  await checked?.succeed();
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
