import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  endRecoverySession,
  findOpenRecovery,
  removeTotp,
  setAuthToken,
} from '@gatehouse/db';
import type { Caller } from '../app/caller.js';
import type { Context } from '../app/context.js';
import { closeRecovery } from '../recovery/close-recovery.js';
import { createBackupCodes } from './backup-codes.js';

/**
 * Completes the recovery in whose session a factor is added: the earlier factors and the auth_token end, and the session
 * becomes one like others. The caller ends the other sessions. Does nothing in other sessions.
 * @param added the kind of factor that is added, which stays
 * @returns new backup codes, undefined in other sessions
 * @throws {AppError} `unauthorized` if the recovery was canceled meanwhile
 */
export async function completeRecovery(
  tx: AccessTransaction,
  ctx: Context & { readonly caller: Caller },
  { added, nowMs }: { added: 'totp' | 'passkey'; nowMs: number },
): Promise<string[] | undefined> {
  const { services } = ctx;
  const { memberId, session } = ctx.caller;
  if (!session.isEnrolment) return undefined;
  const recovery = await findOpenRecovery(tx, memberId);
  const outcome = { outcome: 'completed', endedById: memberId } as const;
  if (!recovery || !(await closeRecovery(tx, ctx, recovery, outcome))) throw new AppError('unauthorized');
  if (added === 'passkey') await removeTotp(tx, memberId);
  await setAuthToken(tx, { memberId, token: null, nowMs });
  await endRecoverySession(tx, session.tokenKey);
  return createBackupCodes(tx, services, memberId);
}
