import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setAuthToken } from '@gatehouse/db/queries/change-session';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import { removePasskeysOf } from '@gatehouse/db/queries/member-passkeys';
import { findMember } from '@gatehouse/db/queries/read-members';
import { findOpenRecovery, releaseRecoverySessions } from '@gatehouse/db/queries/recoveries';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { removeBackupCodes, removeTotp } from '@gatehouse/db/queries/second-factors';
import { change } from '../../audit/change.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded, NotAuthorized } from '../../core/guard/guarded.js';
import { clientName } from '../../core/rate-limit/known-device.js';
import { appLink } from '../../mail/app-link.js';
import type { FactorChange } from '../../mail/kinds/factor-changed.js';
import { queueMail } from '../../mail/queue-mail.js';
import { cancelOvertaken, closeRecovery } from '../recovery/close-recovery.js';
import { isOvertaken } from '../recovery/recovery-times.js';
import { keptSession } from '../session/end-sessions.js';

/** Ends the factors that a recovery replaces, before the new one is added. An authenticator app ends with the next one. */
async function endLostFactors(tx: AccessTransaction, memberId: number): Promise<void> {
  await removeBackupCodes(tx, memberId);
  await removePasskeysOf(tx, memberId);
}

/**
 * Completes the recovery in whose session a factor was added: the other sessions, an earlier authenticator app and the auth_token
 * end, and the session becomes an ordinary one.
 * @param change what was changed
 * @throws {AppError} `enrolment_required` for anything but adding a factor, `unauthorized` if the recovery has ended or was
 * overtaken
 */
async function completeRecovery(
  tx: AccessTransaction,
  ctx: Context & { readonly caller: Caller },
  { change, nowMs }: { change: string; nowMs: number },
): Promise<void> {
  const { memberId, session } = ctx.caller;
  if (change !== 'totpAdded' && change !== 'passkeyAdded') throw new AppError('enrolment_required');
  const recovery = await findOpenRecovery(tx, memberId);
  if (recovery === undefined || recovery.id !== session.recoveryId) throw new AppError('unauthorized');
  if (await isOvertaken(tx, recovery, await readDatabaseTime(tx))) throw new AppError('unauthorized');
  const outcome = { outcome: 'completed', endedById: memberId } as const;
  if (!(await closeRecovery(tx, ctx, recovery, outcome))) throw new AppError('unauthorized');
  // A new app replaces the old one, and ends the other sessions itself.
  if (change === 'passkeyAdded') {
    await removeTotp(tx, memberId);
    await endAllSessions(tx, memberId, {
      nowMs,
      reason: 'factor_changed',
      endedById: memberId,
      keep: keptSession(ctx),
    });
  }
  await setAuthToken(tx, { memberId, token: null, nowMs });
  await releaseRecoverySessions(tx, { memberId, recoveryId: recovery.id });
}

/** Mails a member what changed about their second step, in the transaction of the change. */
export async function tellFactorChange(
  tx: Database,
  { services, call }: Context,
  { memberId, change, left }: { memberId: number; change: FactorChange; left?: number },
): Promise<void> {
  const member = await findMember(tx, memberId);
  if (member === undefined || member.email === null) return;
  await queueMail(tx, services, {
    kind: 'factorChanged',
    to: member.email,
    memberId,
    data: {
      change,
      atMs: services.now(),
      device: clientName(call.userAgent),
      link: appLink(services.config, 'forgot'),
      ...(left === undefined ? {} : { left }),
    },
  });
}

type Called = { readonly caller: Caller };

/** The result of a change of factors. */
interface ChangedFactors<Result> {
  readonly result: Result;
  readonly change: FactorChange;
  /** The action in the audit log. */
  readonly action: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly secondFactor?: boolean;
  readonly emailStep?: boolean;
}

/** The arguments of a change's body. */
interface FactorTransaction<Extra> {
  readonly tx: AccessTransaction;
  readonly nowMs: number;
  readonly authorized: Guarded<Extra>;
}

/**
 * Changes the caller's own second factors, with the member's row locked: sign-ins begun before are refused, the
 * audit log has a line, and a mail tells the member.
 * @throws {AppError} a refusal
 */
export async function changeFactors<Extra extends Called, Result>(
  ctx: NotAuthorized<Extra> & Context & Called,
  body: (change: FactorTransaction<Extra>) => Promise<ChangedFactors<Result>>,
): Promise<Result> {
  const { services, call } = ctx;
  const { memberId } = ctx.caller;
  const { result, action } = await change(ctx, { announce: { members: [memberId] } }, async (changing) => {
    const { tx, nowMs } = changing;
    if (!(await lockMember(tx, { memberId, nowMs }))) throw new AppError('unauthorized');
    const { recoveryId } = changing.caller.session;
    if (recoveryId !== undefined) await endLostFactors(tx, memberId);
    const changed = await body({ tx, nowMs, authorized: changing });
    if (recoveryId !== undefined) await completeRecovery(tx, changing, { change: changed.change, nowMs });
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
