import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeAccess,
  clearPendingAddress,
  consumeToken,
  endAllSessions,
  findMemberAddress,
  isActiveAt,
  proveOwner,
  setPendingAwaits,
} from '@gatehouse/db';
import { z } from 'zod';
import { createLockedReader } from '../access/create-locked-reader.js';
import { awaitedEnds } from '../app/member-view.js';
import { publicProcedure } from '../app/procedures.js';
import type { Services } from '../app/services.js';
import { recordAudit } from '../audit/record-audit.js';
import { moveAddress } from '../registration/move-address.js';
import { queueActivation } from '../registration/queue-activation.js';
import { takesProofToMove } from '../registration/takes-proof-to-move.js';
import { type Approval, findApproval } from './find-approval.js';

/**
 * The answer of the present mailbox to a change of address, by its link. If it agrees, the address changes
 * once the new mailbox has agreed too. A refusal cancels the change and ends every session. A second answer
 * changes nothing.
 */
export const approve = publicProcedure
  .meta({
    about: {
      summary: 'Agree to a change of address at the present mailbox, or refuse it',
      refuses: ['invalid_token', 'email_taken'],
    },
  })
  .input(z.strictObject({ token: z.string(), approve: z.boolean() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const approval = await findApproval(services, input.token);
    const { memberId } = approval;
    const isAnswered = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      if (!(await consumeToken(tx, approval.consume))) return false;
      await createLockedReader(tx, services.now()).lockMember(memberId, 'exclusive');
      const isMoved = await settle(tx, services, { approval, isApproved: input.approve });
      const action = input.approve ? 'address.change-approved' : 'address.change-denied';
      await recordAudit(tx, ctx, {
        atMs: services.now(),
        action: isMoved ? 'address.changed' : action,
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      });
      return true;
    });
    if (!isAnswered) return { message: 'This was answered before' };
    services.wakeups.wake('mail');
    if (input.approve) return { message: 'Thank you: the change has your consent' };
    services.log.security({
      event: 'token.revoked',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The change is stopped, and every session has ended' };
  });

/** Whether this answer changed the address. The member's row is locked. */
async function settle(
  tx: AccessTransaction,
  services: Services,
  { approval, isApproved }: { approval: Approval; isApproved: boolean },
): Promise<boolean> {
  const { memberId, sinceMs } = approval;
  const nowMs = services.now();
  const member = await findMemberAddress(tx, memberId);
  if (
    !member ||
    !isActiveAt(member, nowMs) ||
    member.pendingSinceMs !== sinceMs ||
    member.pendingEmailKey === null
  ) {
    throw new AppError('invalid_token');
  }
  const { pendingEmailKey: emailKey, pendingAwaits } = member;
  if (!isApproved) {
    await clearPendingAddress(tx, { memberId, nowMs });
    await endAllSessions(tx, memberId, { nowMs });
    return false;
  }
  // Another link to the present mailbox was used since this one was mailed.
  if (!awaitedEnds(member).includes('old')) return false;
  if (await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', nowMs })) return false;
  if (pendingAwaits === 'old' && member.pendingEmail !== null && (await takesProofToMove(tx, memberId))) {
    // The second factor was added after the click in the new mailbox, which is asked again.
    await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', from: 'old', nowMs });
    await queueActivation(tx, services, { memberId, email: member.pendingEmail });
    return false;
  }
  await moveAddress(tx, services, { memberId, emailKey });
  if (pendingAwaits === 'proven') await proveOwner(tx, { memberId, expectedPassword: undefined, nowMs });
  return true;
}
