import { decideAccess, mayChange, outranks, type Permission, type Roles } from '@gatehouse/auth-core';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import type { AccountScope } from '../app/account-scope.js';
import { actingRoleIn } from './acting-role-in.js';

/** Whom a call is about. */
export interface Subject {
  readonly roleType: number;
  readonly isPersonnel: boolean;
  /** Their live memberships, in every account. */
  readonly memberships: readonly { readonly accountId: number; readonly roleType: number }[];
}

/** What a member of staff may do about somebody. */
export interface Authority {
  /** Whether they see this member at all: one they do not see does not exist for them. */
  readonly sees: boolean;
  /** Whether they may do something about them: staff answer to staff of base role 0 only. */
  readonly mayServe: boolean;
  /** Whether they may change them besides, which nobody may who is outranked by any role the member has. */
  readonly mayChange: boolean;
  /** Whether that holds in every account of the member, so that what applies in all of them may be changed. */
  readonly mayChangeEverywhere: boolean;
  /** The role the caller acts by, above which they give none. */
  readonly actingRole: number;
}

/** How much authority something needs, by a permission. */
export interface AuthorityNeed {
  readonly permission: Permission;
  readonly need: 'mayServe' | 'mayChange' | 'mayChangeEverywhere';
}

/**
 * Decides what a member of staff may do about somebody, from the present state of both.
 *
 * @param scope the accounts the caller acts in with this permission
 */
export function authorityOver(
  roles: Roles,
  caller: MemberSnapshot,
  { scope, permission }: { scope: AccountScope; permission: Permission },
  subject: Subject,
): Authority {
  const isRoot = caller.isPersonnel && caller.roleType === roles.id.admin;
  const shared = subject.memberships.filter(
    ({ accountId }) => scope.all || scope.accountIds.includes(accountId),
  );
  const highest = (candidates: readonly number[], lowest: number) =>
    candidates.reduce((best, each) => (outranks(roles, each, best) ? each : best), lowest);

  const actingRole = isRoot
    ? roles.id.admin
    : highest(
        shared.map(({ accountId }) => actingRoleIn(roles, caller, accountId)),
        roles.id.archived,
      );
  const roleOfSubject = highest(
    subject.memberships.map(({ roleType }) => roleType),
    subject.roleType,
  );
  const sees = isRoot || shared.length > 0;
  const mayServe = sees && (isRoot || !subject.isPersonnel);
  const isChangeable = mayServe && mayChange(roles, actingRole, roleOfSubject);
  const holdsIn = (accountId: number) =>
    decideAccess(roles, caller, accountId, { isDeleted: false }).permissions.has(permission);
  return {
    sees,
    mayServe,
    mayChange: isChangeable,
    mayChangeEverywhere: isChangeable && subject.memberships.every(({ accountId }) => holdsIn(accountId)),
    actingRole,
  };
}
