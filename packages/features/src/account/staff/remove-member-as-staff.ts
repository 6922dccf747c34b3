import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findAccountStates } from '@gatehouse/db/queries/find-account-state';
import { type LockedMember, lockMember } from '@gatehouse/db/queries/lock-rows';
import { listLiveMemberships } from '@gatehouse/db/queries/memberships';
import { findDeletedMember } from '@gatehouse/db/queries/read-members';
import { endMemberAccess, removeLeavingMember, removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';
import { change, changeAndRecord } from '../../audit/change.js';
import { cancelWhereAsked } from '../../billing/cancel-at-provider.js';
import { closeWithPayments } from '../../billing/close-with-payments.js';
import { requireOtherAdministrator } from '../../core/authority/base-role.js';
import { requireLevelsOf } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { FRESH_WITH_FACTOR } from '../../core/guard/freshness.js';
import type { Guarded } from '../../core/guard/guarded.js';
import { procedure } from '../../core/guard/procedure.js';
import { changeStaff } from '../../member/change-staff.js';
import { findReturning } from '../bring-back.js';
import { listClosing, settleAccounts } from '../settle-accounts.js';

/**
 * Deletes a member softly: the address and username stay reserved, and from the answer on the member has no
 * access. Accounts without other members close too, and their subscriptions are canceled at the provider
 * first. A member who deleted themselves can no longer come back by themselves.
 */
export const removeMemberAsStaff = procedure({ who: 'root', fresh: FRESH_WITH_FACTOR })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      /** Whether owned accounts close even if they have other members. */
      closeAccounts: z.boolean().default(false),
    }),
  )
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, closeAccounts } }) => {
    const { services } = ctx;
    if (await isLeaving(services.db, memberId)) return removeForGood(ctx, memberId);
    const ends = closeAccounts ? 'close' : [];
    const { owned, closing } = await listClosing(services.db, { memberId, ends });
    if (closing.length > 0) {
      // A refused deletion ends no subscription.
      await change(ctx, { lock: { members: [memberId] } }, ({ tx, nowMs, ...authorized }) =>
        lockRemovable(authorized, tx, { memberId, nowMs }),
      );
    }
    const removed = await closeWithPayments(ctx, closing, cancelWhereAsked, (confirm) =>
      changeAndRecord(
        ctx,
        { announce: { members: [memberId], accounts: owned } },
        async ({ tx, nowMs, ...authorized }) => {
          const member = await lockRemovable(authorized, tx, { memberId, nowMs });
          const actorId = authorized.caller.memberId;
          const settlement = { memberId, actorId, ends, held: owned, isPaymentEnded: true, nowMs } as const;
          const { closed } = await settleAccounts(tx, ctx, settlement);
          await confirm(tx);
          await changeStaff(ctx, tx, { memberId, actorId, nowMs }, async () => {
            await removeMember(tx, { memberId, deletedById: actorId, nowMs });
            await endMemberAccess(tx, { memberId, nowMs });
            await endAllSessions(tx, memberId, { nowMs, reason: 'removed', endedById: actorId });
          });
          const { username, email, roleType, isPersonnel } = member;
          return {
            result: { message: 'The member is deleted' },
            record: {
              action: 'member.removed',
              onBehalfOfId: memberId,
              subjectKind: 'member',
              subjectId: memberId,
              before: { username, email, roleType, isPersonnel },
              after: closed.length === 0 ? null : { closed },
            },
          };
        },
      ),
    );
    services.wakeups.wake('mail');
    return removed;
  });

async function isLeaving(db: Database, memberId: number): Promise<boolean> {
  const member = await findDeletedMember(db, memberId);
  return member?.isDeleted === true && member.erasesAtMs !== null;
}

/** Stops a member who deleted themselves from coming back. Their data is erased at the time that was set. */
async function removeForGood(
  ctx: Guarded<{ readonly caller: Caller }>,
  memberId: number,
): Promise<{ message: string }> {
  const { placed } = await findReturning(ctx.services.db, memberId);
  return changeAndRecord(
    ctx,
    { announce: { members: [memberId] }, share: { accounts: placed } },
    async ({ tx, nowMs, caller }) => {
      const before = await findDeletedMember(tx, memberId);
      const deletedById = caller.memberId;
      const isRemoved = await removeLeavingMember(tx, { memberId, deletedById, nowMs });
      // They have just come back.
      if (!isRemoved && before?.deletedById === null)
        throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return {
        result: { message: 'The member is deleted' },
        record: isRemoved
          ? {
              action: 'member.removed',
              onBehalfOfId: memberId,
              subjectKind: 'member',
              subjectId: memberId,
              before: { erasesAtMs: before?.erasesAtMs ?? null },
              after: { mayComeBack: false },
            }
          : undefined,
      };
    },
  );
}

/**
 * @throws {AppError} `not_found`, `last_administrator`; `enrolment_required` or `verification_required` if the member is in an
 * account that requires a higher level than the caller's session has
 */
async function lockRemovable(
  ctx: Guarded<{ readonly caller: Caller }>,
  tx: AccessTransaction,
  which: { memberId: number; nowMs: number },
): Promise<LockedMember> {
  const { roles } = ctx.services;
  const member = await lockMember(tx, { ...which, orLeaving: true });
  if (!member) throw new AppError('not_found');
  // They have just deleted themselves.
  if (member.isDeleted) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  const places = await listLiveMemberships(tx, which.memberId);
  const accounts = (ids: readonly number[]) => findAccountStates(tx, ids);
  await requireLevelsOf(
    ctx,
    { accounts },
    places.map(({ accountId }) => accountId),
  );
  if (member.isPersonnel && member.roleType === roles.id.admin) await requireOtherAdministrator(tx, which);
  return member;
}
