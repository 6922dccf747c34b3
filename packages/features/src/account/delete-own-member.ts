import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { suspendReturningPlaces } from '@gatehouse/db/queries/returning-places';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { endUnpaidCheckout } from '../billing/cancel-at-provider.js';
import { closeWithPayments } from '../billing/close-with-payments.js';
import type { Services } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { procedure } from '../core/guard/procedure.js';
import { queueMail } from '../mail/queue-mail.js';
import { restoreLink } from '../mail/restore-link.js';
import { graceEnd } from './close-account.js';
import { type AccountEnd, listClosing, settleAccounts } from './settle-accounts.js';

const id = z.number().int().positive();

const accountEnd = z.discriminatedUnion('action', [
  z.strictObject({ accountId: id, action: z.literal('close') }),
  z.strictObject({ accountId: id, action: z.literal('transfer'), memberId: id }),
]);

/**
 * Deletes the caller: from the answer on, all their sessions and tokens are invalid. A mailed link restores
 * them until `erasedAt`, if the owner of their address was proven; otherwise the address is free at once. Accounts
 * without other members close too; the caller has to close or hand over each other account they own.
 */
export const deleteMyself = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({
    about: {
      summary: 'Delete oneself',
      refuses: [
        'enrolment_required',
        'sole_owner',
        'subscribed',
        'not_found',
        'unconfirmed',
        'owner_lacks_factor',
        'provider_failed',
      ],
    },
  })
  .input(
    z.strictObject({
      accounts: z
        .array(accountEnd)
        .max(100)
        .refine((ends) => new Set(ends.map(({ accountId }) => accountId)).size === ends.length, {
          message: 'names an account twice',
        })
        .optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        erasedAt: z.iso.datetime(),
        /** Whether a link to come back with was mailed: only to an address whose owner is proven. */
        isLinkMailed: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    requireNoStaff(ctx.caller.member);
    const ends: readonly AccountEnd[] = input.accounts ?? [];
    const { owned, closing } = await listClosing(services.db, { memberId, ends });
    const heirs = ends.flatMap((end) => (end.action === 'transfer' ? [end.memberId] : []));
    const subjects = { announce: { members: [...new Set([memberId, ...heirs])], accounts: owned } };
    const { erasesAtMs, isMailed } = await closeWithPayments(ctx, closing, endUnpaidCheckout, (confirm) =>
      changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
        requireNoStaff(caller.member);
        const member = await lockMember(tx, { memberId, nowMs });
        if (!member) throw new AppError('unauthorized');
        const settlement = {
          memberId,
          actorId: memberId,
          ends,
          held: owned,
          isPaymentEnded: false,
          nowMs,
        };
        const settled = await settleAccounts(tx, ctx, settlement);
        await confirm(tx);
        const untilMs = await graceEnd(tx, { graceDays: services.config.MEMBER_GRACE_DAYS, nowMs });
        await deleteOwnMember(tx, { memberId, erasesAtMs: untilMs, nowMs });
        // The new owner decides whether the former one comes back.
        for (const accountId of settled.handedOver) await suspendReturningPlaces(tx, { accountId, memberId });
        await endAllSessions(tx, memberId, { nowMs, reason: 'removed', endedById: memberId });
        const mailed = isProven(member) ? member.email : null;
        if (mailed !== null) {
          await tellHowToComeBack(tx, services, { memberId, to: mailed, erasesAtMs: untilMs });
        }
        const { username, email } = member;
        return {
          result: { erasesAtMs: untilMs, isMailed: mailed !== null },
          record: {
            action: 'member.deleted',
            subjectKind: 'member',
            subjectId: memberId,
            before: { username, email },
            after: { erasesAtMs: untilMs, ...settled },
          },
        };
      }),
    );
    services.wakeups.wake('mail');
    const erasedAt = new Date(erasesAtMs).toISOString();
    return {
      message: isMailed
        ? 'You are deleted; the link we have mailed brings you back until then'
        : 'You are deleted; your address was never proven, so it is free',
      data: { erasedAt, isLinkMailed: isMailed },
    };
  });

function requireNoStaff({ isPersonnel }: { readonly isPersonnel: boolean }): void {
  if (isPersonnel) throw new AppError('permission_denied');
}

async function tellHowToComeBack(
  tx: AccessTransaction,
  services: Services,
  { memberId, to, erasesAtMs }: { memberId: number; to: string; erasesAtMs: number },
): Promise<void> {
  const link = restoreLink(services, { memberId, erasesAtMs });
  await queueMail(tx, services, { kind: 'memberDeleted', to, memberId, data: { erasesAtMs, link } });
}
