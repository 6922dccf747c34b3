import {
  decideAccess,
  isRootStaff,
  mayChange,
  outranks,
  type Permission,
  type Roles,
} from '@gatehouse/auth-core';
import type { MemberSnapshot } from '../access/access-reader.js';
import { type AccountScope, isInScope } from '../guard/account-access.js';

/**
 * The role of a member of staff in a live account, or the archived role, which ranks lowest, if they have no
 * access. A grant gives the permissions of an account manager, but never a rank above their base role.
 */
export function actingRoleIn(roles: Roles, caller: MemberSnapshot, accountId: number): number {
  const { access, role } = decideAccess(roles, caller, { accountId, account: { isDeleted: false } });
  if (access === 'none') return roles.id.archived;
  return access === 'grant' && outranks(roles, role, caller.roleType) ? caller.roleType : role;
}

/** The subject of a call. */
export interface Subject {
  readonly roleType: number;
  readonly isPersonnel: boolean;
  /** All live memberships. */
  readonly memberships: readonly { readonly accountId: number; readonly roleType: number }[];
}

/** What a member of staff may do with a member. */
export interface Authority {
  /** Whether they can see this member. If not, the answer is as for a member who does not exist. */
  readonly sees: boolean;
  /** Whether they may act on the member: only staff of base role 0 may act on staff. */
  readonly mayServe: boolean;
  /** Whether they may also change the member. Nobody changes a member with a role above theirs. */
  readonly mayChange: boolean;
  /**
   * Whether this holds in every account of the member, which changes with an effect in all of them need. It never holds in an
   * account that requires a session of a higher level than the caller's.
   */
  readonly mayChangeEverywhere: boolean;
  /** The caller's acting role; they cannot give a higher one. */
  readonly actingRole: number;
}

/** The authority that an action needs, with its permission. */
export interface AuthorityNeed {
  readonly permission: Permission;
  readonly need: 'mayServe' | 'mayChange' | 'mayChangeEverywhere';
  /** Whether it can also be done to members who deleted themselves and are not erased yet. */
  readonly orLeaving?: boolean;
}

/** The inputs of a decision about authority. */
export interface AskedAuthority {
  readonly scope: AccountScope;
  readonly permission: Permission;
  readonly opened: readonly number[];
}

/**
 * Decides what a member of staff may do with a member, from the current state of both.
 * @param scope the accounts where the caller has this permission
 * @param opened the accounts of the member that the level of the caller's session reaches
 */
export function authorityOver(
  roles: Roles,
  caller: MemberSnapshot,
  { scope, permission, opened }: AskedAuthority,
  subject: Subject,
): Authority {
  const isRoot = isRootStaff(roles, caller);
  const shared = subject.memberships.filter(({ accountId }) => isInScope(scope, accountId));
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
    opened.includes(accountId) &&
    decideAccess(roles, caller, { accountId, account: { isDeleted: false } }).permissions.has(permission);
  return {
    sees,
    mayServe,
    mayChange: isChangeable,
    mayChangeEverywhere: isChangeable && subject.memberships.every(({ accountId }) => holdsIn(accountId)),
    actingRole,
  };
}

const permission = 'member.manage';
const SERVE = { permission, need: 'mayServe' } as const;
const CHANGE = { permission, need: 'mayChange' } as const;
const CHANGE_EVERYWHERE = { permission, need: 'mayChangeEverywhere' } as const;

/** Members cannot escape it by deleting themselves and coming back. */
const CHANGE_FOR_GOOD = { ...CHANGE_EVERYWHERE, orLeaving: true } as const;

/** The authority over a member that each action needs. Its procedure requires it, and the page of the member asks it. */
export const MEMBER_NEEDS = {
  unlock: SERVE,
  sendReset: SERVE,
  sendConfirmation: SERVE,
  seeSessions: SERVE,
  endSessions: CHANGE,
  changeName: CHANGE,
  changeAddress: CHANGE_EVERYWHERE,
  ban: CHANGE_FOR_GOOD,
  unban: CHANGE_FOR_GOOD,
  retryMail: SERVE,
} as const satisfies Readonly<Record<string, AuthorityNeed>>;
