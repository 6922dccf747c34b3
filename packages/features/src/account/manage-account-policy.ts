import { AppError, accountLevelAt } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccountPolicy, countFactorsOf, setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { type AccountState, findAccountState } from '@gatehouse/db/queries/find-account-state';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { clientHostName } from '../core/guard/client-host.js';
import { FRESH } from '../core/guard/freshness.js';
import { requireRelyingParty } from '../core/guard/level.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

const MAX_BLOCKED_HOSTS = 100;

/** The level that an account requires of sessions. */
const policyView = z.object({
  /** 1 asks nothing more than signing in. */
  level: z.int(),
  /** From when that level applies; null if it already does. */
  from: z.iso.datetime().nullable(),
  /** The level that applies now. */
  current: z.int(),
  members: z.int(),
  /** How many members have no factor of the level. */
  fallingShort: z.int(),
  /** Whether members may let applications and agents act in the account. */
  allowsAgents: z.boolean(),
  /** Hosts whose documents describe no application that may act there. */
  blockedClientHosts: z.array(z.string()).max(MAX_BLOCKED_HOSTS),
  /** Whether the operator lets documents describe applications. */
  clientDocuments: z.boolean(),
});

/** The policy of an account, and how many of its members fall short of it. */
async function toPolicyView(
  db: Database,
  account: Pick<
    AccountState,
    'requiredLevel' | 'requiredFromMs' | 'requiredUntilThen' | 'allowsAgents' | 'blockedClientHosts'
  >,
  {
    accountId,
    nowMs,
    config,
    relyingParty,
  }: { accountId: number; nowMs: number } & Pick<Services, 'config' | 'relyingParty'>,
): Promise<z.output<typeof policyView>> {
  const { requiredLevel: level, requiredFromMs: fromMs } = account;
  const { members, withLevel2, withLevel3 } = await countFactorsOf(db, { accountId, rpId: relyingParty?.id });
  const enough = [members, members, withLevel2, withLevel3][level] ?? 0;
  return {
    level,
    from: fromMs === null || fromMs <= nowMs ? null : new Date(fromMs).toISOString(),
    current: accountLevelAt({ isDeleted: false, ...account }, nowMs),
    members,
    fallingShort: members - enough,
    allowsAgents: account.allowsAgents,
    blockedClientHosts: account.blockedClientHosts ?? [],
    clientDocuments: config.OAUTH_CLIENT_DOCUMENTS.length > 0,
  };
}

/** The level that sessions need in the account, how many members do not reach it, and whether agents may act there. */
const getPolicy = accountProcedure('account.manage')
  .meta({
    about: {
      summary: 'See which level of authentication the account asks for, and whether it allows agents',
    },
  })
  .output(z.object({ data: policyView }))
  .query(async ({ ctx }) => {
    const { access, config, db, now, relyingParty } = ctx.services;
    const accountId = ctx.account.id;
    const account = await access.account(accountId);
    if (!account) throw new AppError('account_forbidden');
    return { data: await toPolicyView(db, account, { accountId, nowMs: now(), config, relyingParty }) };
  });

const MAX_GRACE_DAYS = 30;

const DAY_MS = 86_400_000;

/** The least grace that a caller below the level may set, to add a factor in that time. */
const OWN_GRACE_DAYS = 7;

/**
 * Sets the level that sessions need in the account, at once or after days of grace. Callers who have not reached it must leave
 * themselves a week. A lower level applies at once. If the account forbids agents, the access of applications and agents there
 * ends.
 */
const setPolicy = accountProcedure('account.manage', { inPerson: true, fresh: FRESH })
  .meta({
    about: {
      summary: 'Set which level of authentication the account asks for, and whether it allows agents',
      refuses: ['policy_excludes_you', 'passkeys_not_configured'],
    },
  })
  .input(
    z.object({
      /** Unchanged without a value. */
      level: z.int().min(1).max(3).optional(),
      graceDays: z.int().min(0).max(MAX_GRACE_DAYS).default(0),
      /** Unchanged without a value. */
      allowsAgents: z.boolean().optional(),
      /** All of them; unchanged without a value. */
      blockedClientHosts: z.array(clientHostName).max(MAX_BLOCKED_HOSTS).optional(),
    }),
  )
  .output(z.object({ message: z.string(), data: policyView }))
  .mutation(async ({ ctx, input: { level, graceDays, ...input } }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const data = await changeAndRecord(
      ctx,
      { announce: { accounts: [accountId] } },
      async ({ tx, nowMs, caller }) => {
        const account = await findAccountState(tx, accountId);
        if (!account) throw new AppError('account_forbidden');
        const { requiredLevel, requiredFromMs, requiredUntilThen } = account;
        const { allowsAgents = account.allowsAgents, blockedClientHosts = account.blockedClientHosts } =
          input;
        const admitted = { allowsAgents, blockedClientHosts };
        const before = { requiredLevel, requiredFromMs, requiredUntilThen };
        const policy =
          level === undefined
            ? before
            : policyFrom(accountLevelAt(account, nowMs), { level, graceDays, nowMs });
        const hasTime = policy.requiredFromMs !== null && graceDays >= OWN_GRACE_DAYS;
        if (level !== undefined && level > caller.session.level) {
          if (!hasTime) throw new AppError('policy_excludes_you');
          // Without passkeys nobody can reach level 3, so nobody could lower the policy again.
          if (level === 3) requireRelyingParty(services);
        }
        const known = {
          ...before,
          allowsAgents: account.allowsAgents,
          blockedClientHosts: account.blockedClientHosts,
        };
        const changed = changedFields(known, { ...policy, ...admitted });
        if (changed) await setAccountPolicy(tx, { accountId, nowMs, ...policy, ...admitted });
        if (changedFields(before, { ...policy })) {
          const fromMs = policy.requiredFromMs ?? nowMs;
          for (const memberId of new Set([account.ownerId, caller.memberId])) {
            const to = (await findMember(tx, memberId))?.email ?? null;
            const mailed = {
              accountName: mailName(account.name),
              level: policy.requiredLevel,
              fromMs,
              link: screenLink(services.config, `a/${accountId}/team`),
            };
            if (to !== null)
              await queueMail(tx, services, { kind: 'policyChanged', to, memberId, data: mailed });
          }
        }
        return {
          result: await toPolicyView(
            tx,
            { ...policy, ...admitted },
            { accountId, nowMs, config: services.config, relyingParty: services.relyingParty },
          ),
          record: changed && {
            action: 'account.policy-set',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            ...changed,
          },
        };
      },
    );
    services.wakeups.wake('mail');
    return { message: 'The two-step sign-in policy is saved', data };
  });

function policyFrom(
  current: number,
  { level, graceDays, nowMs }: { level: number; graceDays: number; nowMs: number },
): AccountPolicy {
  if (graceDays === 0 || level <= current)
    return { requiredLevel: level, requiredFromMs: null, requiredUntilThen: 1 };
  return { requiredLevel: level, requiredFromMs: nowMs + graceDays * DAY_MS, requiredUntilThen: current };
}

/** The procedures about the level that an account asks of sessions. */
export const accountPolicyProcedures = { get: getPolicy, set: setPolicy };
