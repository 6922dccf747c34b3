import { type AccessTransaction, type TakenOver, type TakeOver, takeMemberOver } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/app/context.js';

/**
 * Ends every earlier credential of a member whose owner is proven now, once, and holds what they let in. The audit log of
 * each account tells how many of its members were switched off, and that it asks for no level any more.
 * @returns undefined if the owner was proven before
 */
export async function takeOver(
  tx: AccessTransaction,
  ctx: Pick<Context, 'services' | 'call'>,
  takeover: TakeOver,
): Promise<TakenOver | undefined> {
  const ended = await takeMemberOver(tx, takeover);
  if (ended === undefined) return undefined;
  const { memberId, nowMs } = takeover;
  const held = new Map<number, number>();
  for (const { accountId } of ended.memberships) held.set(accountId, (held.get(accountId) ?? 0) + 1);
  for (const [accountId, heldMemberships] of held) {
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'membership.held',
      actorId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
      after: { heldMemberships },
    });
  }
  for (const { accountId, requiredLevel } of ended.policies)
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'account.policy-set',
      actorId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
      before: { requiredLevel },
      after: { requiredLevel: 1 },
    });
  return ended;
}

/** What the audit log tells of a take-over. */
export function takeOverRecord(ended: TakenOver | undefined): Record<string, number> {
  return {
    removedConnections: ended?.connections ?? 0,
    removedFactors: ended?.factors ?? 0,
    revokedInvitations: ended?.invitations ?? 0,
    heldMemberships: ended?.memberships.length ?? 0,
    heldPartners: ended?.partners ?? 0,
  };
}

/** Whether a take-over left something to decide. */
export function hasHeld(ended: TakenOver | undefined): boolean {
  return ended !== undefined && (ended.memberships.length > 0 || ended.partners > 0);
}
