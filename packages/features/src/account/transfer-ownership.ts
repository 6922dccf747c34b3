import { AppError } from '@gatehouse/auth-core';
import { findAccount, findMembership, lockMember, setAccountOwner, setMembership } from '@gatehouse/db';
import { z } from 'zod';
import { freshOwnerProcedure } from '../app/procedures.js';
import { makeChange } from '../audit/make-change.js';
import { isOwnerRole } from '../authority/given-role.js';
import { mailName } from '../mail/mail-name.js';
import { tellMember } from '../ownership/tell-member.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';

/** Makes another member of the account its primary owner, with the role of an owner; whoever was it keeps theirs. */
export const transferOwnership = freshOwnerProcedure
  .meta({ about: { summary: 'Hand the account over', refuses: ['not_found', 'unconfirmed'] } })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const before = ctx.caller.memberId;
    const newOwner = input.memberId;
    const subjects = { members: [...new Set([newOwner, before])], accounts: [accountId] };
    const data = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const role = ownRole(services.roles, decided.caller.member, accountId);
      if (newOwner === before) {
        return { result: toOwnAccountView(account, before, role), record: undefined };
      }
      const member = await lockMember(tx, { memberId: newOwner, nowMs });
      const place = await findMembership(tx, { memberId: newOwner, accountId });
      const isArchived = member?.roleType === services.roles.id.archived;
      if (!member || isArchived || !place?.active) throw new AppError('not_found');
      if (member.isPersonnel) throw new AppError('permission_denied');
      if (member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
      const isMoved = await setAccountOwner(tx, {
        accountId,
        ownerId: newOwner,
        expectedOwnerId: before,
        nowMs,
      });
      if (!isMoved) throw new AppError('permission_denied');
      if (!isOwnerRole(services.roles, place.roleType)) {
        await setMembership(tx, { memberId: newOwner, accountId, roleType: services.roles.id.owner, nowMs });
      }
      const told = {
        accountName: mailName(account.name),
        ownerName: mailName(member.username),
        atMs: nowMs,
      };
      const { APP_URL: link } = services.config;
      for (const memberId of [newOwner, before]) {
        const isNewOwner = memberId === newOwner;
        const mail = { kind: 'ownershipMoved', memberId, data: { ...told, isNewOwner, link } } as const;
        await tellMember(tx, services, mail);
      }
      return {
        result: toOwnAccountView({ ...account, ownerId: newOwner }, before, role),
        record: {
          action: 'account.ownership-moved',
          accountId,
          onBehalfOfId: newOwner,
          subjectKind: 'account',
          subjectId: accountId,
          before: { ownerId: before },
          after: { ownerId: newOwner },
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The account has its new primary owner', data };
  });
