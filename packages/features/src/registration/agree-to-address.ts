import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import {
  type AgreedLater,
  agreeLater,
  clearPendingAddress,
  dropAgreement,
  listAgreedLater,
  setPendingAwaits,
} from '@gatehouse/db/queries/pending-addresses';
import { findMemberAddress, type MemberAddress } from '@gatehouse/db/queries/read-members';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { recordAudit } from '../audit/record-audit.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context, Services } from '../core/context.js';
import { awaitedEnds, maskAddress } from '../core/member-view.js';
import { mailLimitError } from '../mail/limit-mails.js';
import { queueMail } from '../mail/queue-mail.js';
import { approvalLink } from './change-email.js';
import { queueActivation } from './mail-confirmation.js';
import { moveAddress, takesProofToMove } from './move-address.js';

/** A pending change of address. */
type PendingChange = MemberAddress & { readonly pendingEmailKey: string };

/** The change that a member awaits now, if it is the one requested at `sinceMs`. */
async function findPending(
  tx: Database,
  { memberId, sinceMs }: { memberId: number; sinceMs: number },
  nowMs: number,
): Promise<PendingChange | undefined> {
  const member = await findMemberAddress(tx, memberId);
  if (!member || !isActiveAt(member, nowMs) || member.pendingSinceMs !== sinceMs) return undefined;
  const { pendingEmailKey } = member;
  return pendingEmailKey === null ? undefined : { ...member, pendingEmailKey };
}

/** @throws {AppError} `invalid_token` if the change was canceled, replaced or completed, or the member is not active */
export async function requirePending(
  tx: Database,
  change: { memberId: number; sinceMs: number },
  nowMs: number,
): Promise<PendingChange> {
  const pending = await findPending(tx, change, nowMs);
  if (pending === undefined) throw new AppError('invalid_token');
  return pending;
}

/**
 * Records that the old mailbox agrees, and moves the address if the new one has agreed before. The caller has locked the
 * member's row.
 * @returns whether the address changed
 * @throws {AppError} as `moveAddress` does
 */
export async function agree(
  tx: AccessTransaction,
  services: Services,
  member: PendingChange,
): Promise<boolean> {
  const { id: memberId, pendingEmail, pendingEmailKey: emailKey, pendingAwaits } = member;
  const nowMs = services.now();
  // Another link to the present mailbox was used since this one was mailed.
  if (!awaitedEnds(member).includes('old')) return false;
  if (await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', nowMs })) return false;
  if (pendingAwaits === 'old' && pendingEmail !== null && (await takesProofToMove(tx, memberId))) {
    // The second factor was added after the click in the new mailbox, which has to confirm again.
    await setPendingAwaits(tx, { memberId, emailKey, awaits: 'new', from: 'old', nowMs });
    await queueActivation(tx, services, { memberId, email: pendingEmail, changes: member });
    return false;
  }
  await moveAddress(tx, services, { memberId, emailKey });
  if (pendingAwaits === 'proven') await proveOwner(tx, { memberId, expectedPassword: undefined, nowMs });
  return true;
}

const HOUR_MS = 3_600_000;

/**
 * Notes that the old mailbox agreed without a proof, and mails it a second link, which stops the change. The first link stays
 * valid: a program may have followed it. The member's row is locked.
 * @returns when the agreement takes effect, the same however often it is given; undefined if the link was answered before
 * @throws {AppError} `invalid_token`; `email_taken` once the new mailbox has agreed; `rate_limited` if the mail is above its
 * limit
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
  // Until the new mailbox has agreed, nobody learns whether somebody has that address.
  const holder = pendingAwaits === 'both' ? undefined : await findCredential(tx, pendingEmailKey);
  if (holder !== undefined && holder.id !== memberId) throw new AppError('email_taken');

  // The job that applies it uses the database's clock.
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

const AT_ONCE = 20;

/** Applies the agreement of an old mailbox, an hour after it was given without a password or a session. */
export const agreedAddresses: Job<Services> = {
  name: 'agreed-addresses',
  everyMs: 60_000,
  async run(services) {
    // A wrong clock of one node must not shorten the hour.
    const byMs = await readDatabaseTime(services.db);
    const due = await listAgreedLater(services.db, { byMs, limit: AT_ONCE });
    let applied = 0;
    let failure: Error | undefined;
    for (const change of due) {
      try {
        await apply(services, change, byMs);
        applied += 1;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        // The changes of other members do not wait for this one, which is tried again.
        failure ??= error;
      }
    }
    if (applied > 0) services.wakeups.wake('mail');
    if (failure !== undefined) throw failure;
    return applied;
  },
};

/** Decides by the locked row: since it was listed, the change may have been stopped or replaced, or the member banned. */
async function apply(services: Services, change: AgreedLater, byMs: number): Promise<void> {
  const { memberId } = change;
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = services.now();
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const effectiveAtMs = (await findMemberAddress(tx, memberId))?.pendingEffectiveAtMs ?? null;
    if (effectiveAtMs === null || effectiveAtMs > byMs) return;
    const pending = await findPending(tx, change, nowMs);
    if (pending === undefined) return dropAgreement(tx, { memberId, nowMs });
    const action = await agree(tx, services, pending)
      .then((isMoved) => (isMoved ? 'address.changed' : 'address.change-approved'))
      .catch(async (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'email_taken') throw error;
        // Somebody else has the address by now.
        await clearPendingAddress(tx, { memberId, nowMs });
        return 'address.change-cancelled';
      });
    await recordAudit(
      tx,
      { services },
      {
        atMs: nowMs,
        action,
        actorId: null,
        onBehalfOfId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      },
    );
  });
}

/** The current state of a link to approve or refuse a change of address. */
export interface Approval {
  readonly memberId: number;
  readonly sinceMs: number;
  /** The pending change; undefined if it was answered before. */
  readonly change:
    | { readonly email: string; readonly pendingEmail: string; readonly effectiveAtMs: number | null }
    | undefined;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The change of address for a link to the present mailbox.
 * @throws {AppError} `invalid_token` if the link is invalid or has expired, or if the change was canceled or
 * replaced
 */
export async function findApproval(services: Services, token: string): Promise<Approval> {
  const opened = services.tokens.openOneUse(token, ['emailApproval']);
  const [member, state] = opened
    ? await Promise.all([
        findMemberAddress(services.db, opened.userId),
        findTokenState(services.db, opened.tokenKey),
      ])
    : [];
  if (!opened || opened.sinceMs === undefined || !member || !isActiveAt(member, services.now()))
    throw new AppError('invalid_token');
  const { userId: memberId, sinceMs } = opened;
  const consume = { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs };
  if (state?.isRevoked) return { memberId, sinceMs, change: undefined, consume };
  const { email, pendingEmail, pendingEffectiveAtMs: effectiveAtMs } = member;
  const isAwaited = member.pendingSinceMs === sinceMs && email !== null;
  if (!isAwaited || pendingEmail === null) throw new AppError('invalid_token');
  // Another link of the same change was used.
  if (!awaitedEnds(member).includes('old')) return { memberId, sinceMs, change: undefined, consume };
  return { memberId, sinceMs, change: { email, pendingEmail, effectiveAtMs }, consume };
}
