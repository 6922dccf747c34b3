import { AppError, personNameSchema, searchKey } from '@gatehouse/auth-core';
import { countOwnedAccounts, findAccount, findMember, hasHadTrial, insertAccount } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { inPersonProcedure } from '../core/guard/procedures.js';
import { ownAccountView, toOwnAccountView } from './own-account-view.js';

const DAY_MS = 86_400_000;
const NEW_A_DAY = 5;

/** Opens another account owned by the caller. Only a member's first account has a trial. */
export const create = inPersonProcedure
  .meta({
    about: { summary: 'Open another account', refuses: ['unconfirmed', 'account_limit', 'rate_limited'] },
  })
  .input(z.object({ name: personNameSchema }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { name } }) => {
    const { memberId } = ctx.caller;
    const data = await makeChange(ctx, { members: [memberId] }, async (tx, nowMs) => {
      const { config, roles, limits } = ctx.services;
      const member = await findMember(tx, memberId);
      if (!member || member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
      if ((await countOwnedAccounts(tx, memberId)) >= config.ACCOUNTS_PER_MEMBER)
        throw new AppError('account_limit');
      const limit = {
        key: `account:create:${memberId}`,
        name: 'accounts',
        most: NEW_A_DAY,
        windowMs: DAY_MS,
      };
      await enforceLimit({ limits }, limit, tx);
      const roleType = roles.id.owner;
      const accountId = await insertAccount(tx, {
        name,
        nameKey: searchKey(name),
        ownerId: memberId,
        roleType,
        trialEndsAtMs: (await hasHadTrial(tx, memberId)) ? null : nowMs + config.TRIAL_DAYS * DAY_MS,
        nowMs,
      });
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('internal', { detail: 'an account just made is not there' });
      const role = { roleType, role: roles.labelOf(roleType), customRoleId: null };
      return {
        result: toOwnAccountView(account, memberId, role),
        record: {
          action: 'account.created',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: null,
          after: { name },
        },
      };
    });
    return { message: 'The account is open', data };
  });
