import { changeAccess, setMemberFactors, setPasskeySuspect } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/app/context.js';
import { tellFactorChange } from '../second-factor/tell-factor-change.js';

/** A refused use of a passkey on one device. */
interface RefusedUse {
  readonly id: number;
  readonly memberId: number;
  readonly counter: number;
  /** When its flow began. A use that began before the last accepted one was only overtaken. */
  readonly beganAtMs: number;
}

/**
 * Marks a passkey suspect whose counter went back: somebody has a copy. It counts no more, and a mail tells the member.
 * Does nothing where the use was refused for another reason.
 */
export async function recordStepBack(ctx: Context, use: RefusedUse): Promise<void> {
  const { services, call } = ctx;
  const { memberId } = use;
  const isSuspect = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = services.now();
    if (!(await setPasskeySuspect(tx, { ...use, nowMs }))) return false;
    await setMemberFactors(tx, memberId, { nowMs });
    await tellFactorChange(tx, ctx, { memberId, change: 'passkeySuspect' });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'factor.passkey-suspect',
      actorId: null,
      onBehalfOfId: memberId,
      subjectKind: 'passkey',
      subjectId: use.id,
    });
    return true;
  });
  if (!isSuspect) return;
  services.wakeups.wake('mail');
  const { requestId, address } = call;
  services.log.security({
    event: 'factor.changed',
    requestId,
    address,
    memberId,
    reason: 'factor.passkey-suspect',
  });
}
