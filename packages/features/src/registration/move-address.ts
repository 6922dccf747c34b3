import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  consumePendingAddress,
  DuplicateKeyError,
  endAllSessions,
  findMemberAddress,
  findOpenSession,
} from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

/** A change of address whose every end has agreed. */
export interface AgreedChange {
  readonly memberId: number;
  readonly emailKey: string;
  /** The session that asked for a first address. */
  readonly sessionId?: number | undefined;
}

/**
 * Puts the address a member waits for in the place of the present one, and tells both mailboxes. A first address is also
 * what they sign in as from now on, so their sessions end but the one that asked for it.
 *
 * @throws {AppError} `email_taken` when somebody else has it by now, `invalid_token` when they wait for another one
 */
export async function moveAddress(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  { memberId, emailKey, sessionId }: AgreedChange,
): Promise<void> {
  const nowMs = services.now();
  const before = await findMemberAddress(tx, memberId);
  if (!(await consume(tx, { memberId, emailKey, nowMs })) || before === undefined) {
    throw new AppError('invalid_token');
  }
  if (before.email === null) {
    const keep = sessionId === undefined ? undefined : await findOpenSession(tx, { memberId, sessionId });
    await endAllSessions(tx, memberId, { nowMs, ...(keep ? { keep } : {}) });
  }
  const link = appLink(services.config, 'forgot');
  const tell = async (to: string | null, isNew: boolean) => {
    if (to === null) return;
    await queueMail(tx, services, {
      kind: 'addressChanged',
      to,
      memberId,
      data: { atMs: nowMs, link, isNew },
    });
  };
  await tell(before.emailConfirmedAtMs === null ? null : before.email, false);
  await tell(before.pendingEmail, true);
}

async function consume(tx: AccessTransaction, change: { memberId: number; emailKey: string; nowMs: number }) {
  try {
    return await consumePendingAddress(tx, change);
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('email_taken', { cause: error });
    throw error;
  }
}
