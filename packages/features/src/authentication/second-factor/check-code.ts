import { AppError } from '@gatehouse/auth-core';
import { recordAudit } from '../../audit/record-audit.js';
import { recordRefusal } from '../../audit/security-event/record-refusal.js';
import type { Context } from '../../core/app/context.js';
import { type CountedCode, countFactorAttempt } from '../../core/app/step-limits.js';
import { compareCode, type FactorProof, kindOfCode, type SentCode } from './factor-proof.js';
import { tellFactorChange } from './tell-factor-change.js';

/** A right code, and the count it was compared under, which its use ends. */
export interface CheckedCode {
  readonly proof: FactorProof;
  readonly attempt: CountedCode;
}

/**
 * Counts and compares a code of a member. Undefined, and recorded, if it is wrong or was used.
 * @param boundKey the challenge or session that a mailed code must have been mailed for
 * @throws {AppError} `rate_limited`, `invalid_input`
 */
export async function checkCode(
  ctx: Context,
  memberId: number,
  sent: SentCode,
  boundKey: string,
): Promise<CheckedCode | undefined> {
  const kind = kindOfCode(sent);
  if (kind === undefined) throw new AppError('invalid_input');
  const attempt = await countFactorAttempt(ctx, memberId, kind);
  const proof = await compareCode(ctx, memberId, sent, { boundKey, attempt }).catch(
    async (error: unknown) => {
      await attempt.refund();
      throw error;
    },
  );
  if (proof !== undefined) return { proof, attempt };
  await recordWrongCode(ctx, memberId, attempt);
  return undefined;
}

/** Records a wrong code, and a lock if it was one too many in a row. */
export async function recordWrongCode(ctx: Context, memberId: number, attempt: CountedCode): Promise<void> {
  const { services, call } = ctx;
  const { isLocked } = await attempt.fail();
  const { requestId, address } = call;
  services.log.security({ event: 'login.failed', requestId, address, memberId, reason: 'second_step' });
  await recordRefusal(ctx, { memberId, login: '', outcome: isLocked ? 'locked' : 'failed' });
  if (isLocked) {
    services.log.security({ event: 'login.locked', requestId, address, memberId, reason: 'second_step' });
    await services.db.transaction(async (tx) => {
      await tellFactorChange(tx, ctx, { memberId, change: 'locked' });
      await recordAudit(tx, ctx, {
        atMs: services.now(),
        action: 'factor.locked',
        actorId: null,
        onBehalfOfId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      });
    });
    services.wakeups.wake('mail');
  }
}
