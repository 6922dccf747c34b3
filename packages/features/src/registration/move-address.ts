import { AppError, emailKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findOpenSession } from '@gatehouse/db/queries/list-sessions';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { consumePendingAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { insertFormerAddress } from '@gatehouse/db/queries/recovery-subject';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import type { Services } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { queueActivation } from './mail-confirmation.js';
import { renewUsername } from './usernames.js';

/** A change of address that all sides have agreed to. */
interface AgreedChange {
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
    const end = { nowMs, reason: 'address_changed', endedById: memberId } as const;
    await endAllSessions(tx, memberId, { ...end, ...(keep ? { keep } : {}) });
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

/**
 * Whether the next address of a member requires a proof that its owner is the member, because they have a second factor, whether
 * they or staff requested the change. A click in the mail alone would tie an address to another person's factors, and a reset
 * ends none of these.
 */
export async function takesProofToMove(db: Database, memberId: number): Promise<boolean> {
  const factors = await findMemberFactors(db, memberId);
  if (factors === undefined) return false;
  const { secondFactor, totpConfirmedAtMs, passkeyRpIds } = factors;
  return secondFactor || totpConfirmedAtMs !== null || passkeyRpIds.length > 0;
}

/**
 * Starts a change of a member's address: the new address is asked to confirm, the old one is notified. Until
 * then nothing changes, and a password reset by the old address cancels the change.
 *
 * @returns false if the member is gone
 */
export async function changeAddress(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now' | 'tokens'>,
  { memberId, email }: { memberId: number; email: string },
): Promise<boolean> {
  const nowMs = services.now();
  const isPending = await setPendingAddress(tx, {
    memberId,
    email,
    emailKey: emailKey(email),
    awaits: null,
    nowMs,
  });
  if (!isPending) return false;
  const present = await findMemberAddress(tx, memberId);
  await queueActivation(tx, services, { memberId, email, changes: present });
  if (present !== undefined && present.email !== null) {
    await queueMail(tx, services, {
      kind: 'addressChanging',
      to: present.email,
      memberId,
      share: 'staff',
      data: { atMs: nowMs, link: appLink(services.config, 'forgot') },
    });
  }
  return true;
}
