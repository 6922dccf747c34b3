import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  endAllSessions,
  findOpenRecovery,
  readDatabaseTime,
  releaseRecoverySessions,
  removeBackupCodes,
  removePasskeysOf,
  removeTotp,
  setAuthToken,
} from '@gatehouse/db';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import { closeRecovery } from '../recovery/close-recovery.js';
import { isOvertaken } from '../recovery/recovery-times.js';
import { keptSession } from '../session/end-sessions.js';

/** Ends the factors that a recovery replaces, before the new one is added. An authenticator app ends with the next one. */
export async function endLostFactors(tx: AccessTransaction, memberId: number): Promise<void> {
  await removeBackupCodes(tx, memberId);
  await removePasskeysOf(tx, memberId);
}

/**
 * Completes the recovery in whose session a factor was added: the other sessions, an earlier authenticator app and the
 * auth_token end, and the session becomes one like others.
 * @param change what was changed
 * @throws {AppError} `enrolment_required` for anything but adding a factor, `unauthorized` if the recovery has ended or was overtaken
 */
export async function completeRecovery(
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
    await endAllSessions(tx, memberId, { nowMs, keep: keptSession(ctx) });
  }
  await setAuthToken(tx, { memberId, token: null, nowMs });
  await releaseRecoverySessions(tx, { memberId, recoveryId: recovery.id });
}
