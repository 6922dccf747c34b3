import { dummyHash } from '@gatehouse/auth-core';
import { type AccessTransaction, endUnprovenSignIns } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import { endFactors } from '../../authentication/staff-enrolment.js';
import type { Context } from '../../core/context.js';

/**
 * Ends everything that signs in to a member whose address nobody has proven, who is or becomes staff: sessions, factors,
 * auth_token, provider profiles and the password. What is left is the mailbox. The caller has locked the member.
 */
export async function endSignIns(
  ctx: Pick<Context, 'services' | 'call'>,
  tx: AccessTransaction,
  { memberId, actorId, nowMs }: { memberId: number; actorId: number; nowMs: number },
): Promise<void> {
  await endFactors(tx, { memberId, nowMs });
  await endUnprovenSignIns(tx, { memberId, password: dummyHash, nowMs });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'member.sign-ins-ended',
    actorId,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
}
