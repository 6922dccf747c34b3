import { AppError } from '@gatehouse/auth-core';
import { reopenAccount } from '@gatehouse/db/queries/change-accounts';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { cancelWhereAsked } from '../../billing/cancel-at-provider.js';
import { closeWithPayments } from '../../billing/close-with-payments.js';
import { isOwnerRole } from '../../core/authority/given-role.js';
import { FRESH, FRESH_WITH_FACTOR, requireFresh } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { reason } from '../../core/inputs.js';
import { closeAccount } from '../close-account.js';
import { ownerlessIssues } from '../settle-accounts.js';
import { handOver } from '../transfer-ownership.js';
import { accountView, toAccountView } from './reached-accounts.js';

/**
 * Deletes an account softly. From the answer on it is closed to everybody, staff included; its data is erased
 * later. Its subscription is canceled at the provider first.
 */
export const removeAccountAsStaff = procedure({ who: 'root', fresh: FRESH_WITH_FACTOR })
  .input(z.object({ accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { accountId } }) => {
    const { services } = ctx;
    if ((await findAccount(services.db, accountId))?.isDeleted !== false) throw new AppError('not_found');
    const removed = await closeWithPayments(ctx, [accountId], cancelWhereAsked, (confirm) =>
      changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx, nowMs, caller }) => {
        const account = await findAccount(tx, accountId);
        const closed =
          account && (await closeAccount(tx, services, { account, closedById: caller.memberId, nowMs }));
        if (!account || !closed) throw new AppError('not_found');
        await confirm(tx);
        return {
          result: { message: 'The organization has been deleted' },
          record: {
            action: 'account.removed',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            before: { name: account.name },
            after: null,
          },
        };
      }),
    );
    services.wakeups.wake('mail');
    return removed;
  });

/**
 * Opens a closed account again, also one that its owner closed, for everybody who was in it and still may sign in. One whose primary
 * owner is deleted comes back with them. Repeating it changes nothing.
 */
export const restoreAccount = procedure({ who: 'root' })
  .meta({
    about: { summary: 'Restore a closed account', refuses: ['not_found', 'grace_over', 'sole_owner'] },
  })
  .input(z.object({ accountId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: accountView }))
  .mutation(async ({ ctx, input }) => {
    const { db, roles } = ctx.services;
    const { accountId } = input;
    const closed = await findAccount(db, accountId);
    if (!closed) throw new AppError('not_found');
    const subjects = { announce: { accounts: [accountId] }, share: { members: [closed.ownerId] } };
    const data = await changeAndRecord(ctx, subjects, async ({ tx, nowMs }) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('not_found');
      const { ownerId } = account;
      if (!account.isDeleted) return { result: toAccountView(account), record: undefined };
      if (ownerId !== closed.ownerId) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      if (account.erasesAtMs === null || nowMs >= account.erasesAtMs) throw new AppError('grace_over');
      const owner = await findMember(tx, ownerId);
      const place = await findMembership(tx, { memberId: ownerId, accountId });
      const isOwned = owner?.isDeleted === false && place?.active && isOwnerRole(roles, place.roleType);
      if (!isOwned) throw new AppError('sole_owner', { issues: ownerlessIssues([account]) });
      if (!(await reopenAccount(tx, { accountId, nowMs }))) throw new AppError('grace_over');
      return {
        result: toAccountView(account),
        record: {
          action: 'account.restored',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: { closedById: account.closedById, erasesAtMs: account.erasesAtMs },
          after: { reason: input.reason },
        },
      };
    });
    return { message: 'The organization has been restored', data };
  });

/**
 * Makes another member of an account its primary owner, with the role of an owner; the former owner keeps that role.
 * Both get a mail. Repeating it changes nothing.
 */
export const transferOwnershipAsStaff = procedure({ who: 'root', fresh: FRESH })
  .meta({
    about: {
      summary: 'Hand an account over',
      refuses: ['verification_required', 'not_found', 'unconfirmed', 'owner_lacks_factor'],
    },
  })
  .input(z.object({ accountId: z.int().positive(), memberId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: accountView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { accountId, memberId: newOwner } = input;
    const known = await findAccount(services.db, accountId);
    if (!known || known.isDeleted) throw new AppError('not_found');
    const before = known.ownerId;
    const subjects = { announce: { members: [...new Set([newOwner, before])], accounts: [accountId] } };
    const data = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, ...authorized }) => {
      await requireFresh(authorized, authorized.caller);
      const account = await findAccount(tx, accountId);
      if (!account || account.isDeleted) throw new AppError('not_found');
      if (account.ownerId === newOwner) return { result: toAccountView(account), record: undefined };
      // It was transferred after the members to lock were chosen.
      if (account.ownerId !== before) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      const events = await handOver(tx, services, {
        account,
        from: before,
        to: newOwner,
        isByStaff: true,
        nowMs,
      });
      return {
        result: toAccountView({ ...account, ownerId: newOwner }),
        record: {
          action: 'account.ownership-moved',
          accountId,
          onBehalfOfId: newOwner,
          subjectKind: 'account',
          subjectId: accountId,
          before: { ownerId: before },
          after: { ownerId: newOwner, reason: input.reason },
          events,
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'Ownership has been transferred', data };
  });
