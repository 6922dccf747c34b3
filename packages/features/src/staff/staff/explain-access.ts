import {
  ACCESS_FACTS,
  type AccessLink,
  type AccessQuestion,
  AppError,
  decideAccess,
  emailKey,
  isStaffPermission,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from '@gatehouse/auth-core';
import { findImpersonation } from '@gatehouse/db/queries/impersonations';
import { findSessionKey } from '@gatehouse/db/queries/list-sessions';
import { findMember } from '@gatehouse/db/queries/read-members';
import { findOpenRecovery } from '@gatehouse/db/queries/recoveries';
import { z } from 'zod';
import { recoveryState } from '../../authentication/recovery/recovery-times.js';
import { mayBypass } from '../../authentication/sso-bypass.js';
import type { MemberSnapshot } from '../../core/access/access-reader.js';
import { requireSight, type StaffContext } from '../../core/authority/require-authority.js';
import type { Services } from '../../core/context.js';
import { currentSubscription } from '../../core/current-subscription.js';
import { isInScope } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { factorLevelOf, levelFacts } from '../../core/guard/level.js';
import { procedure } from '../../core/guard/procedure.js';
import { knownSso, verifiedSession } from '../../core/guard/session-state.js';
import { permissionView } from '../../core/product-permissions.js';
import { findLock } from '../../core/rate-limit/login-limits.js';
import { findRequiredSso } from '../../core/required-sso.js';

const id = z.int().positive();

const facts = ACCESS_FACTS.flatMap((fact) => [fact, `actor.${fact}`] as const);

const explanation = z.object({
  decision: z.enum(['allow', 'deny']),
  /** The code of the refusal; null if the answer is yes. */
  reason: z.string().nullable(),
  /** The facts that were read, in order. The last one decided. */
  chain: z.array(
    z.object({
      fact: z.enum(facts),
      value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      effect: z.enum(['none', 'passes', 'allows', 'denies']),
    }),
  ),
});

/**
 * Why a member may do something at this moment, or may not: with a permission in an account, as staff, or, if no permission is
 * given, whether they can sign in, at an address they have not signed in from lately. It is the decision of the guards, from the
 * facts that they know.
 */
export const explainAccess = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: 'See why a member may do something, or may not', refuses: ['not_found'] } })
  .input(
    z
      .object({
        memberId: id,
        accountId: id.optional(),
        permission: permissionView.or(z.enum(STAFF_PERMISSIONS)).optional(),
        /** Asks about the session in which staff act for the member. */
        impersonationId: id.optional(),
        /** Asks about this session of the member. Without it the session has the highest level that their factors reach. */
        sessionId: id.optional(),
      })
      .refine(({ impersonationId, sessionId }) => impersonationId === undefined || sessionId === undefined, {
        message: 'Name an impersonation or a session',
      }),
  )
  .output(z.object({ data: explanation }))
  .query(async ({ ctx, input: { memberId, accountId, permission, impersonationId, sessionId } }) => {
    const { access, db, roles } = ctx.services;
    const profile = await findMember(db, memberId);
    await requireSight(db, ctx.scope, profile);
    if (accountId !== undefined && !isInScope(ctx.scope, accountId)) throw new AppError('not_found');
    await access.current();
    const found = await access.member(memberId);
    if (!profile || !found) throw new AppError('not_found');

    const account = accountId === undefined ? undefined : await access.account(accountId);
    const chain: AccessLink[] = [
      { fact: 'logPosition', value: access.logPosition(), effect: 'none' },
      { fact: 'sessionEpoch', value: found.sessionEpoch, effect: 'none' },
      { fact: 'confirmation', value: profile.emailConfirmedAtMs !== null, effect: 'none' },
    ];
    const recovery = await findOpenRecovery(db, memberId);
    if (recovery) chain.push({ fact: 'recovery', value: recoveryState(recovery), effect: 'none' });
    if (account) {
      const { state } = currentSubscription(ctx.services, account);
      chain.push({ fact: 'subscription', value: state, effect: 'none' });
    }
    const asksToSignIn = permission === undefined && impersonationId === undefined && sessionId === undefined;
    const lock = await lockOf(ctx.services, memberId);
    if (!asksToSignIn) chain.push({ fact: 'lock', value: lock, effect: 'none' });
    else if (accountId === undefined) {
      const value = await ssoOf(ctx.services, profile);
      if (value !== null) chain.push({ fact: 'singleSignOn', value, effect: 'none' });
    }
    const { member, session, reached } = await sessionOf(ctx, found, { impersonationId, sessionId });
    const question: AccessQuestion = {
      ...(session ? { session } : {}),
      ...(asksToSignIn ? { signIn: { lock } } : {}),
      ...(accountId === undefined ? {} : { accountId, account }),
      ...asked(permission),
      ...(asksToSignIn ? {} : { level: levelFacts(ctx.services, member, reached) }),
    };
    const { reason } = decideAccess(roles, member, question, chain);
    return { data: { decision: reason === undefined ? 'allow' : 'deny', reason: reason ?? null, chain } };
  });

/** A permission of staff is checked outside accounts, any other in one. */
function asked(permission: Permission | StaffPermission | undefined): AccessQuestion {
  if (permission === undefined) return {};
  return isStaffPermission(permission) ? { staff: { permission } } : { permission };
}

async function lockOf(services: Services, memberId: number): Promise<string | null> {
  const { untilMs, isLockedOut } = await findLock(services, memberId);
  if (isLockedOut) return 'until unlocked';
  return untilMs === null ? null : `until ${new Date(untilMs).toISOString()}`;
}

/** Whether an account requires its identity provider for a member's address, or exempts them; null if none does. */
async function ssoOf(
  services: Services,
  { id: memberId, isPersonnel, email }: { id: number; isPersonnel: boolean; email: string | null },
): Promise<'required' | 'exempt' | null> {
  if (isPersonnel || email === null) return null;
  const required = await findRequiredSso(services, emailKey(email));
  if (required === undefined) return null;
  return (await mayBypass(services, required, { id: memberId, isPersonnel })) ? 'exempt' : 'required';
}

/** The known facts about the level of a session. */
type Reached = Pick<Caller['session'], 'level' | 'recoveryId'> & {
  readonly sso?: { readonly accountId: number; readonly level: number } | undefined;
};

/**
 * The member, with the given session: visible to staff who see every account, and an impersonation also to its starter. Without a
 * given session, one of the highest level that the member's factors reach.
 * @throws {AppError} `not_found`
 */
async function sessionOf(
  { services, scope, caller }: StaffContext,
  member: MemberSnapshot,
  { impersonationId, sessionId }: { impersonationId: number | undefined; sessionId: number | undefined },
): Promise<{ member: MemberSnapshot; session?: AccessQuestion['session']; reached: Reached }> {
  const { db } = services;
  if (impersonationId === undefined && sessionId === undefined)
    return { member, reached: { level: factorLevelOf(services, member), recoveryId: undefined } };
  if (impersonationId === undefined) {
    const found = scope.all ? await findSessionKey(db, sessionId ?? 0) : undefined;
    if (found?.memberId !== member.id || found.impersonationId !== null) throw new AppError('not_found');
    return sessionBy(services, member, found);
  }
  const found = await findImpersonation(db, impersonationId);
  const isSeen = found !== undefined && (scope.all || found.actorId === caller.memberId);
  if (!isSeen || found.memberId !== member.id) throw new AppError('not_found');
  const { tokenKey, createdAtMs } = found;
  if (tokenKey !== null) return sessionBy(services, member, { tokenKey, createdAtMs });
  // A session that is no longer stored has ended.
  const state = { isRevoked: true, session: undefined };
  const asked = await verifiedSession(services, services.access, member, {
    state,
    issuedAtMs: createdAtMs,
  });
  return { ...asked, reached: { level: 1, recoveryId: undefined } };
}

async function sessionBy(
  services: Services,
  member: MemberSnapshot,
  { tokenKey, createdAtMs: issuedAtMs }: { tokenKey: string; createdAtMs: number },
): Promise<{ member: MemberSnapshot; session: AccessQuestion['session']; reached: Reached }> {
  const state = await services.access.token(member, tokenKey);
  const asked = await verifiedSession(services, services.access, member, { state, issuedAtMs });
  const { level = 1, recoveryId, sso } = state.session ?? {};
  return { ...asked, reached: { level, recoveryId: recoveryId ?? undefined, sso: knownSso(sso) } };
}
