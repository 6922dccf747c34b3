import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  consumePendingAddress,
  DuplicateKeyError,
  endAllSessions,
  findMemberAddress,
  findOpenSession,
  insertFormerAddress,
} from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { renewUsername } from './renew-username.js';

/** A change of address that all sides have agreed to. */
export interface AgreedChange {
  readonly memberId: number;
  readonly emailKey: string;
  /** The session that requested a first address. */
  readonly sessionId?: number | undefined;
}

/**
 * Replaces the member's address with the pending one, and notifies both mailboxes. The first address also
 * becomes the login name, so all sessions end except the one that requested it. A username that was the old address is made anew.
 *
 * @throws {AppError} `email_taken` if somebody else has it by now, `invalid_token` if another address is
 * pending
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
  await renewUsername(tx, { memberId, nowMs });
  const { email: former } = before;
  if (former !== null && before.emailConfirmedAtMs !== null)
    await insertFormerAddress(tx, { memberId, email: former, untilMs: nowMs });
  const link = appLink(services.config, 'forgot');
  const tell = async (to: string | null, isNew: boolean) => {
    if (to === null) return;
    await queueMail(tx, services, {
      kind: 'addressChanged',
      to,
      memberId,
      isFormer: !isNew,
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
