import { AppError } from '@gatehouse/auth-core';
import { type AccessTransaction, lockMember, setMemberFactors } from '@gatehouse/db';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import type { Undecided } from '../../core/app/decide.js';
import type { Guarded } from '../../core/app/guarded.js';
import type { FactorChange } from '../../mail/kinds/factor-changed.js';
import { cancelOvertaken } from '../recovery/cancel-overtaken.js';
import { completeRecovery, endLostFactors } from './complete-recovery.js';
import { tellFactorChange } from './tell-factor-change.js';

type Called = { readonly caller: Caller };

/** What a change of factors did. */
export interface ChangedFactors<Result> {
  readonly result: Result;
  readonly change: FactorChange;
  /** The action in the audit log. */
  readonly action: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly secondFactor?: boolean;
  readonly emailStep?: boolean;
}

/** What the body of a change works with. */
export interface FactorTransaction<Extra> {
  readonly tx: AccessTransaction;
  readonly nowMs: number;
  readonly decided: Guarded<Extra>;
}

/**
 * Changes the caller's own second factors, with the member's row locked: sign-ins begun before are refused, the
 * audit log has a line, and a mail tells the member.
 * @throws {AppError} a refusal
 */
export async function changeFactors<Extra extends Called, Result>(
  ctx: Undecided<Extra> & Context & Called,
  body: (change: FactorTransaction<Extra>) => Promise<ChangedFactors<Result>>,
): Promise<Result> {
  const { services, call } = ctx;
  const { memberId } = ctx.caller;
  const { result, action } = await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
    if (!(await lockMember(tx, { memberId, nowMs }))) throw new AppError('unauthorized');
    const { recoveryId } = decided.caller.session;
    if (recoveryId !== undefined) await endLostFactors(tx, memberId);
    const changed = await body({ tx, nowMs, decided });
    if (recoveryId !== undefined) await completeRecovery(tx, decided, { change: changed.change, nowMs });
    const { secondFactor, emailStep, before, after } = changed;
    await setMemberFactors(tx, memberId, {
      nowMs,
      ...(secondFactor === undefined ? {} : { secondFactor }),
      ...(emailStep === undefined ? {} : { emailStep }),
    });
    await tellFactorChange(tx, ctx, { memberId, change: changed.change });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: changed.action,
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
      before,
      after,
    });
    return changed;
  }).catch(async (error: unknown) => {
    if (ctx.caller.session.recoveryId !== undefined) await cancelOvertaken(services, memberId);
    throw error;
  });
  services.wakeups.wake('mail');
  services.log.security({
    event: 'factor.changed',
    requestId: call.requestId,
    address: call.address,
    actorId: memberId,
    memberId,
    reason: action,
  });
  return result;
}
