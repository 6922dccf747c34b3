import { AppError } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context } from '../../core/context.js';
import type { CheckedOwner } from '../../registration/owner-proof.js';
import { bringBack, findReturning } from './bring-back.js';

/**
 * Brings back a member who deleted themselves, once `claim` says that this call is the one that does, and their proof is right.
 * @throws {AppError} `proof_required` without a proof, and as `bringBack` does
 */
export async function comeBack(
  ctx: Context,
  {
    memberId,
    proof,
    claim,
  }: {
    readonly memberId: number;
    readonly proof: CheckedOwner;
    /** Runs once the rows are locked. */
    readonly claim: (tx: AccessTransaction) => Promise<boolean>;
  },
): Promise<void> {
  const { services } = ctx;
  const returning = await findReturning(services.db, memberId);
  const accounts = returning.closed;
  await changeAccess(services.db, { members: [memberId], accounts }, async (tx) => {
    const nowMs = services.now();
    const reader = createLockedReader(tx, nowMs);
    await reader.lockAccounts(accounts, 'exclusive');
    await reader.lockAccounts(returning.placed, 'share');
    for (const id of [memberId, ...returning.granters].toSorted((a, b) => a - b))
      await reader.lockMember(id, id === memberId ? 'exclusive' : 'share');
    if (!(await claim(tx))) return;
    if (!(await proof.isShown(tx, reader, nowMs))) throw new AppError('proof_required');
    await bringBack(ctx, tx, reader, { memberId, actorId: memberId, returning, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'member.restored',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
      after: { accounts },
    });
  }).catch(async (error: unknown) => {
    await proof.afterRefusal(error);
    throw error;
  });
  await proof.succeed();
  services.wakeups.wake('mail');
}
