import { AppError, accountLevelAt } from '@gatehouse/auth-core';
import { type AccountPolicy, findAccountState, findMember, setAccountPolicy } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { freshAccountProcedure } from '../../core/guard/procedures.js';
import { queueMail } from '../../mail/queue-mail.js';
import { policyView, toPolicyView } from './policy-view.js';

const LONGEST_GRACE_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Sets the level that the account asks of sessions, at once or after days of grace. Whoever sets it has reached it. A
 * lower level counts at once.
 */
export const set = freshAccountProcedure('account.manage')
  .meta({
    about: {
      summary: 'Set which level of authentication the account asks for',
      refuses: ['policy_excludes_you'],
    },
  })
  .input(
    z.object({
      level: z.int().min(1).max(3),
      graceDays: z.int().min(0).max(LONGEST_GRACE_DAYS).default(0),
    }),
  )
  .output(z.object({ message: z.string(), data: policyView }))
  .mutation(async ({ ctx, input: { level, graceDays } }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const data = await makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
      if (level > decided.caller.session.level) throw new AppError('policy_excludes_you');
      const account = await findAccountState(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const policy = policyFrom(accountLevelAt(account, nowMs), { level, graceDays, nowMs });
      const { requiredLevel, requiredFromMs, requiredUntilThen } = account;
      const changed = changedFields({ requiredLevel, requiredFromMs, requiredUntilThen }, { ...policy });
      if (changed) {
        await setAccountPolicy(tx, { accountId, nowMs, ...policy });
        const fromMs = policy.requiredFromMs ?? nowMs;
        for (const memberId of new Set([account.ownerId, decided.caller.memberId])) {
          const to = (await findMember(tx, memberId))?.email ?? null;
          const mailed = { account: account.name, level, fromMs, link: services.config.APP_URL };
          if (to !== null)
            await queueMail(tx, services, { kind: 'policyChanged', to, memberId, data: mailed });
        }
      }
      return {
        result: await toPolicyView(tx, policy, { accountId, nowMs, relyingParty: services.relyingParty }),
        record: changed && {
          action: 'account.policy-set',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          ...changed,
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The account asks for this level', data };
  });

function policyFrom(
  current: number,
  { level, graceDays, nowMs }: { level: number; graceDays: number; nowMs: number },
): AccountPolicy {
  if (graceDays === 0 || level <= current)
    return { requiredLevel: level, requiredFromMs: null, requiredUntilThen: 1 };
  return { requiredLevel: level, requiredFromMs: nowMs + graceDays * DAY_MS, requiredUntilThen: current };
}
