import {
  AppError,
  decideAccess,
  isRootStaff,
  STAFF_PERMISSIONS,
  staffPermissions,
} from '@gatehouse/auth-core';
import { findImpersonation } from '@gatehouse/db/queries/impersonations';
import { findPartner } from '@gatehouse/db/queries/partners';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { AgentFacts } from '@gatehouse/http/server/http-call';
import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { currentSubscription, currentSubscriptionView } from '../../core/current-subscription.js';
import { reachAccount } from '../../core/guard/account-access.js';
import {
  type CallerImpersonation,
  type CallerSession,
  isMachine,
  isProgram,
} from '../../core/guard/caller.js';
import { deferredStaffLevel, lackedLevel, requiresView } from '../../core/guard/level.js';
import { procedure } from '../../core/guard/procedure.js';
import { ownMemberView, personName, toOwnMemberView } from '../../core/member-view.js';
import { permissionView } from '../../core/product-permissions.js';

const accountView = z.object({
  accountId: z.int(),
  accountName: z.string(),
  role: z.int(),
  roleLabel: z.string(),
  /** The account's own role, if the member has one. */
  customRoleId: z.int().nullable(),
  permissions: z.array(permissionView),
  subscription: currentSubscriptionView,
  /** The level that a session needs there and this one has not reached; null if it has. */
  requires: requiresView,
});

const output = z.object({
  /** An application that acts for the member is told their names and, if they agreed to that, their address. */
  member: ownMemberView,
  isPersonnel: z.boolean(),
  /** The level of authentication that the session has reached: 1, 2 with a second factor, 3 with a passkey; 1 for a machine. */
  level: z.int(),
  /** The level that the session lacks for working as staff; null if nothing. */
  requires: requiresView,
  /** The level that work as staff requires from a day on, of a member who lacks the factor for it. */
  requiresLater: z.object({ level: z.int(), from: z.iso.datetime() }).optional(),
  /** The member's permissions as staff, outside any account. */
  staffPermissions: z.array(z.enum(STAFF_PERMISSIONS)),
  /** Whether the member may act in every account, as staff of base role 0. */
  allAccounts: z.boolean(),
  memberships: z.array(accountView),
  grants: z.array(accountView),
  currentAccount: accountView.nullable(),
  /** What to ask the member for. */
  prompts: z.array(z.enum(['changePassword'])),
  /** Who acts for the member in this session, and until when; null if the member calls. */
  actor: z
    .object({
      userId: z.int(),
      name: z.string(),
      reason: z.string(),
      expiresAt: z.iso.datetime(),
      readOnly: z.boolean(),
    })
    .nullable(),
  /**
   * The partner that began this session, in which the member may not do what needs the member in person; null if they signed in
   * themselves. The name is null for a partner that gave none.
   */
  partner: z.object({ partnerId: z.int(), name: z.string().nullable() }).nullable(),
  /** The API key of the machine that calls; null if a member or an application does. */
  key: z.object({ keyId: z.int(), expiresAt: z.iso.datetime() }).nullable(),
  /**
   * The application that calls with an access token for this service, for the member or as its machine; null if no application
   * calls. Such a token is only for this service: an API of the product must admit nobody with it.
   */
  application: z.object({ applicationId: z.int(), actsAs: z.enum(['member', 'machine']) }).nullable(),
});

/** The signed-in member, their accounts, and their permissions there. */
export const me = procedure({ who: 'member', opensBelowLevel: true, opensInRecovery: true, programs: true })
  .output(output)
  .query(async ({ ctx }) => {
    const { access, roles } = ctx.services;
    const { caller } = ctx;
    const profile = await access.profile(caller.member);
    if (!profile) throw new AppError('unauthorized');
    const current =
      ctx.accountId === null ? null : await reachAccount(ctx, caller, ctx.accountId, { atAnyLevel: true });
    const accountIds = [...new Set([...caller.member.memberships.keys(), ...caller.member.grants])];
    const accounts = await access.accounts(current ? [...accountIds, current.id] : accountIds);

    const view = (accountId: number) => {
      const account = accounts.get(accountId);
      const decision = decideAccess(roles, caller.member, { accountId, account });
      if (!account || decision.access === 'none') return [];
      return [
        {
          accountId,
          accountName: account.name,
          role: decision.role,
          roleLabel: decision.customRole?.name ?? roles.labelOf(decision.role),
          customRoleId: decision.customRole?.id ?? null,
          permissions: [...decision.permissions],
          subscription: currentSubscription(ctx.services, account),
          requires: lackedLevel(ctx, caller, account),
        },
      ];
    };
    const memberships = [...caller.member.memberships.keys()].flatMap(view);
    const grants = caller.member.isPersonnel ? [...caller.member.grants].flatMap(view) : [];
    // Only they themselves can add the factor.
    const isOwnSession = caller.session.impersonation === undefined;
    const deferred = isOwnSession ? deferredStaffLevel(ctx.services, caller.member) : undefined;
    const isCurrent = ({ accountId }: { accountId: number }) => accountId === current?.id;
    const listed = memberships.find(isCurrent) ?? grants.find(isCurrent);
    const own = toOwnMemberView(profile, ctx.services.now());
    const { agent } = caller.session;
    return {
      member: agent?.actsAs === 'member' ? asAgentsSee(own, { agent, place: listed }) : own,
      isPersonnel: caller.member.isPersonnel,
      // The guard requires no level of a machine, which must not look like a person with a passkey.
      level: isMachine(caller) ? 1 : caller.session.level,
      requires: lackedLevel(ctx, caller, undefined),
      ...(deferred && {
        requiresLater: { level: deferred.level, from: new Date(deferred.untilMs).toISOString() },
      }),
      staffPermissions: [...staffPermissions(roles, caller.member)],
      allAccounts: isRootStaff(roles, caller.member),
      memberships,
      grants,
      currentAccount: listed ?? (current ? (view(current.id)[0] ?? null) : null),
      // A program cannot follow it, and need not know.
      prompts: profile.passwordListedAtMs === null || isProgram(caller) ? [] : ['changePassword'],
      actor: caller.session.impersonation ? await actorOf(ctx, caller.session.impersonation) : null,
      partner: caller.session.partnerId === undefined ? null : await partnerOf(ctx, caller.session.partnerId),
      key: keyOf(caller.session),
      application: agent === undefined ? null : { applicationId: agent.applicationId, actsAs: agent.actsAs },
    };
  });

/**
 * A member as an application sees them that acts for them: their names, their role in its account, and their address if they agreed to
 * that. What else only they need to know is empty.
 */
function asAgentsSee(
  member: z.output<typeof ownMemberView>,
  {
    agent: { seesAddress },
    place,
  }: { readonly agent: AgentFacts; readonly place: z.output<typeof accountView> | undefined },
): z.output<typeof ownMemberView> {
  const { id, username, firstName, lastName, email, emailVerified, createdAt, locale } = member;
  const shows = seesAddress && emailVerified;
  return {
    id,
    sid: '',
    username,
    firstName,
    lastName,
    email: shows ? email : null,
    emailVerified: shows,
    role_type: place?.role ?? member.role_type,
    role: place?.roleLabel ?? member.role,
    createdAt,
    locale,
    pendingEmail: null,
    awaits: [],
    hasPassword: false,
  };
}

function keyOf({ keyId, expiresAtMs }: CallerSession): z.output<typeof output>['key'] {
  return keyId === undefined ? null : { keyId, expiresAt: new Date(expiresAtMs).toISOString() };
}

async function actorOf(
  { services }: Context,
  { id, actorId, isReadOnly }: CallerImpersonation,
): Promise<z.output<typeof output>['actor']> {
  const [found, person] = await Promise.all([
    findImpersonation(services.db, id),
    findMember(services.db, actorId),
  ]);
  if (!found || !person) throw new AppError('unauthorized');
  const expiresAt = new Date(found.expiresAtMs).toISOString();
  return { userId: actorId, name: personName(person), reason: found.reason, expiresAt, readOnly: isReadOnly };
}

async function partnerOf({ services }: Context, id: number): Promise<z.output<typeof output>['partner']> {
  const found = await findPartner(services.db, { id });
  return { partnerId: id, name: found?.name ?? null };
}
