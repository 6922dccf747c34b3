import { submittedPasswordSchema } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { clearPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { maskAddress } from '../core/member-view.js';
import { type Approval, agree, agreeInAnHour, findApproval, requirePending } from './agree-to-address.js';
import { checkOwnerProof, holdsSessionOf } from './owner-proof.js';

/** What an answer did. */
interface Outcome {
  /** When the agreement takes effect; null if it did at once, and for a refusal. */
  readonly effectiveAtMs: number | null;
  readonly areSessionsEnded: boolean;
}

/**
 * The answer of the present mailbox to a change of address, by its link. If it agrees with the password or in a session of the
 * member, the address changes once the new mailbox has agreed too. Without either it agrees an hour later, because the mail
 * may have been read by a program, and a second mail can stop it. A refusal cancels the change at once; with the password or a session it ends
 * every session. A second answer changes nothing.
 */
export const approve = publicProcedure
  .meta({
    about: {
      summary: 'Agree to a change of address at the present mailbox, or refuse it',
      refuses: ['invalid_token', 'invalid_credentials', 'email_taken', 'rate_limited'],
      credentials: ['password'],
    },
  })
  .input(
    z.strictObject({
      token: z.string(),
      approve: z.boolean(),
      password: submittedPasswordSchema.optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** When an agreement without a password or a session takes effect; null for every other answer. */
        effectiveAt: z.iso.datetime().nullable(),
        /** Whether a refusal ended every session. */
        sessionsEnded: z.boolean(),
        /** Whether the link was answered before, so that this answer changed nothing. */
        wasAnswered: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { token, approve: isApproved, password } }) => {
    const { services, call } = ctx;
    const approval = await findApproval(services, token);
    const { memberId } = approval;
    const proof = await checkOwnerProof(ctx, { memberId, sent: { password } });
    const outcome = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      const nowMs = services.now();
      const reader = createLockedReader(tx, nowMs);
      await reader.lockMember(memberId, 'exclusive');
      const isShown = await proof.isShown(tx, reader, nowMs);
      return isApproved
        ? settleAgreement(tx, ctx, { approval, isShown })
        : settleRefusal(tx, ctx, { approval, isShown });
    });
    services.wakeups.wake('mail');
    if (outcome?.areSessionsEnded === true)
      services.log.security({
        event: 'token.revoked',
        requestId: call.requestId,
        address: call.address,
        memberId,
      });
    const { effectiveAtMs = null, areSessionsEnded = false } = outcome ?? {};
    const effectiveAt = effectiveAtMs === null ? null : new Date(effectiveAtMs).toISOString();
    return {
      message: messageOf(outcome, isApproved),
      data: { effectiveAt, sessionsEnded: areSessionsEnded, wasAnswered: outcome === undefined },
    };
  });

/** Undefined if the link was answered before. The member's row is locked. */
async function settleAgreement(
  tx: AccessTransaction,
  ctx: Context,
  { approval, isShown }: { approval: Approval; isShown: boolean },
): Promise<Outcome | undefined> {
  const { services } = ctx;
  const { memberId, consume } = approval;
  if (!isShown) {
    const effectiveAtMs = await agreeInAnHour(tx, ctx, approval);
    return effectiveAtMs === undefined ? undefined : { effectiveAtMs, areSessionsEnded: false };
  }
  if (!(await consumeToken(tx, consume))) return undefined;
  const nowMs = services.now();
  const isMoved = await agree(tx, services, await requirePending(tx, approval, nowMs));
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: isMoved ? 'address.changed' : 'address.change-approved',
    actorId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
  return { effectiveAtMs: null, areSessionsEnded: false };
}

/** Undefined if the link was answered before. The member's row is locked. */
async function settleRefusal(
  tx: AccessTransaction,
  ctx: Context,
  { approval, isShown }: { approval: Approval; isShown: boolean },
): Promise<Outcome | undefined> {
  const { memberId, consume } = approval;
  if (!(await consumeToken(tx, consume))) return undefined;
  const nowMs = ctx.services.now();
  await requirePending(tx, approval, nowMs);
  await clearPendingAddress(tx, { memberId, nowMs });
  if (isShown) await endAllSessions(tx, memberId, { nowMs, reason: 'revoked', endedById: memberId });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'address.change-denied',
    actorId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
  return { effectiveAtMs: null, areSessionsEnded: isShown };
}

function messageOf(outcome: Outcome | undefined, isApproved: boolean): string {
  if (outcome === undefined) return 'You have already responded';
  if (outcome.effectiveAtMs !== null)
    return 'Approved. The change takes effect in one hour, and an email tells you how to stop it until then';
  if (isApproved) return 'You approved the change';
  return outcome.areSessionsEnded
    ? 'The change was rejected, and all your sessions have been signed out'
    : 'The change was rejected';
}

/** Shows the change of address that a link to the present mailbox is about, and changes nothing. */
export const approvalDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell what change of address the link to the present mailbox is about',
      refuses: ['invalid_token'],
    },
  })
  .input(z.strictObject({ token: z.string() }))
  .output(
    z.object({
      /** The addresses, the new one masked; null once the link was answered. */
      change: z
        .object({
          email: z.string(),
          pendingEmail: z.string(),
          /** When an agreement without a password or a session takes effect; null if there is none. */
          effectiveAt: z.iso.datetime().nullable(),
        })
        .nullable(),
      /** Whether the call has a session of the member, which proves what the password would. */
      isSignedIn: z.boolean(),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { access } = ctx.services;
    const { change, memberId } = await findApproval(ctx.services, input.token);
    await access.current();
    const isSignedIn = await holdsSessionOf(ctx, access, memberId);
    if (change === undefined) return { change: null, isSignedIn };
    const { email, pendingEmail, effectiveAtMs } = change;
    const effectiveAt = effectiveAtMs === null ? null : new Date(effectiveAtMs).toISOString();
    return { change: { email, pendingEmail: maskAddress(pendingEmail), effectiveAt }, isSignedIn };
  });
