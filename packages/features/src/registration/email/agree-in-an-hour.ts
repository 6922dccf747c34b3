import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  agreeLater,
  findCredential,
  findTokenState,
  readDatabaseTime,
} from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import { awaitedEnds, maskAddress } from '../../core/member-view.js';
import { mailLimitError } from '../../mail/mail-limit-error.js';
import { queueMail } from '../../mail/queue-mail.js';
import { requirePending } from './agree.js';
import type { Approval } from './find-approval.js';
import { approvalLink } from './queue-approval.js';

const HOUR_MS = 3_600_000;

/**
 * Notes that the old mailbox agreed without a proof, and mails it a second link, which stops the change. The first link stays
 * good: a program may have followed it. The member's row is locked.
 * @returns when the agreement counts, the same however often it is given; undefined if the link was answered before
 * @throws {AppError} `invalid_token`; `email_taken` once the new mailbox has agreed; `rate_limited` if the mail is above its bound
 */
export async function agreeInAnHour(
  tx: AccessTransaction,
  ctx: Context,
  { memberId, sinceMs, consume }: Approval,
): Promise<number | undefined> {
  const { services } = ctx;
  if ((await findTokenState(tx, consume.tokenKey)).isRevoked) return undefined;
  const nowMs = services.now();
  const member = await requirePending(tx, { memberId, sinceMs }, nowMs);
  if (!awaitedEnds(member).includes('old')) return undefined;
  if (member.pendingEffectiveAtMs !== null) return member.pendingEffectiveAtMs;
  const { email, pendingEmail, pendingEmailKey, pendingAwaits } = member;
  if (email === null || pendingEmail === null) throw new AppError('invalid_token');
  // Before the new mailbox has agreed, nobody learns whether somebody has that address.
  const holder = pendingAwaits === 'both' ? undefined : await findCredential(tx, pendingEmailKey);
  if (holder !== undefined && holder.id !== memberId) throw new AppError('email_taken');

  // The job that applies it goes by the database's clock.
  const effectiveAtMs = Math.max(nowMs, await readDatabaseTime(tx)) + HOUR_MS;
  await agreeLater(tx, { memberId, sinceMs, effectiveAtMs, nowMs });
  const link = approvalLink(services, { memberId, sinceMs });
  const data = { pendingEmail: maskAddress(pendingEmail), effectiveAtMs, link };
  const mail = { kind: 'addressAgreed', to: email, memberId } as const;
  // Without the mail nobody could stop the change.
  if (!(await queueMail(tx, services, { ...mail, data })))
    throw await mailLimitError(services, { ...mail, name: 'address-agreed' });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'address.change-approved',
    actorId: null,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
    after: { effectiveAt: new Date(effectiveAtMs).toISOString() },
  });
  return effectiveAtMs;
}
