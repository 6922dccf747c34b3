import type {
  AccessDecision,
  AccessLink,
  AccessRefusal,
  AccessSnapshot,
  AccountFacts,
  CustomRole,
  LevelFacts,
  LevelRefusal,
  RequiredLevel,
} from './access-question.js';
import type { StaffPermission } from './permissions.js';
import { type RoleName, type Roles, STAFF_ROLE_PERMISSIONS } from './roles.js';

const NO_STAFF_PERMISSIONS: ReadonlySet<StaffPermission> = new Set();

/** Whether a member may sign in and act: not deleted or banned. */
export function isActiveMember(
  roles: Roles,
  member: { readonly isDeleted: boolean; readonly roleType: number },
): boolean {
  return !member.isDeleted && member.roleType !== roles.id.archived;
}

/** Whether somebody is staff of base role 0. A machine never is. */
export function isRootStaff(roles: Roles, { isPersonnel, roleType, scopes }: AccessSnapshot): boolean {
  return isPersonnel && roleType === roles.id.admin && scopes === undefined;
}

/** What became of a member, for people. */
export function statusOf(roles: Roles, member: AccessSnapshot | undefined): string {
  if (member === undefined) return 'unknown';
  if (member.isDeleted) return 'deleted';
  return member.roleType === roles.id.archived ? 'banned' : 'live';
}

/** A staff member's permissions outside any account; none for everybody else. */
export function staffPermissions(roles: Roles, snapshot: AccessSnapshot): ReadonlySet<StaffPermission> {
  const name = roles.nameOf(snapshot.roleType);
  if (name === undefined || !snapshot.isPersonnel || !isActiveMember(roles, snapshot))
    return NO_STAFF_PERMISSIONS;
  const { scopes } = snapshot;
  const ofRole = STAFF_ROLE_PERMISSIONS[name];
  const own = scopes === undefined ? ofRole : new Set([...ofRole].filter((each) => scopes.has(each)));
  if (snapshot.actor === undefined) return own;
  const acting = staffPermissions(roles, snapshot.actor);
  return new Set([...own].filter((each) => acting.has(each)));
}

/** Adds the fact that refused. */
export function denied(
  chain: AccessLink[] | undefined,
  fact: AccessLink['fact'],
  value: AccessLink['value'],
): false {
  chain?.push({ fact, value, effect: 'denies' });
  return false;
}

const without = (reason: AccessRefusal | undefined): AccessDecision => ({
  access: 'none',
  role: null,
  permissions: new Set(),
  customRole: undefined,
  reason,
});

export const UNAUTHORIZED = without('unauthorized');

export const INVALID_CREDENTIALS = without('invalid_credentials');

export const RATE_LIMITED = without('rate_limited');

export const ACCOUNT_REQUIRED = without('account_required');

const ACCOUNT_FORBIDDEN = without('account_forbidden');

export const PERMISSION_DENIED = without('permission_denied');

export const INSUFFICIENT_SCOPE = without('insufficient_scope');

const ENROLMENT_REQUIRED = without('enrolment_required');

const VERIFICATION_REQUIRED = without('verification_required');

const SSO_REQUIRED = without('sso_required');

/** The answer to a question about no account that is refused for the session's level. */
export const refusedFor = (reason: LevelRefusal): AccessDecision =>
  reason === 'sso_required'
    ? SSO_REQUIRED
    : reason === 'enrolment_required'
      ? ENROLMENT_REQUIRED
      : VERIFICATION_REQUIRED;

/** The answer to a question about no account. */
export const YES = without(undefined);

/** How a member reaches an account, by their own rights. */
export function reachIn(
  roles: Roles,
  member: AccessSnapshot,
  accountId: number,
  account: AccountFacts,
  chain: AccessLink[] | undefined,
): AccessDecision {
  if (account === undefined || account.isDeleted) {
    chain?.push({ fact: 'accountState', value: account ? 'closed' : 'unknown', effect: 'denies' });
    return ACCOUNT_FORBIDDEN;
  }
  chain?.push(
    { fact: 'accountState', value: 'live', effect: 'passes' },
    { fact: 'staff', value: member.isPersonnel, effect: 'passes' },
    { fact: 'baseRole', value: member.roleType, effect: 'passes' },
  );
  if (isRootStaff(roles, member)) return allow(roles, 'all', 'admin');

  const roleInAccount = member.memberships.get(accountId);
  if (roleInAccount !== undefined) {
    const decision = asMember(roles, member, accountId, roleInAccount);
    const effect = decision.access === 'none' ? 'denies' : 'passes';
    chain?.push({ fact: 'membership', value: roleInAccount, effect });
    return decision;
  }
  chain?.push({ fact: 'membership', value: null, effect: member.isPersonnel ? 'passes' : 'denies' });
  if (!member.isPersonnel) return ACCOUNT_FORBIDDEN;
  const isGranted = member.grants.has(accountId);
  chain?.push({ fact: 'grant', value: isGranted, effect: isGranted ? 'passes' : 'denies' });
  return isGranted ? allow(roles, 'grant', 'accountManager') : ACCOUNT_FORBIDDEN;
}

function asMember(
  roles: Roles,
  { customRoles }: AccessSnapshot,
  accountId: number,
  roleInAccount: number,
): AccessDecision {
  if (customRoles?.has(accountId)) return allowCustom(roles, customRoles.get(accountId));
  const name = roles.nameOf(roleInAccount);
  return name === undefined || name === 'archived' ? ACCOUNT_FORBIDDEN : allow(roles, 'member', name);
}

/** Where the permissions in an account come from. */
export function sourceOf({ access, role, customRole }: AccessDecision): string {
  if (access === 'all') return 'all accounts';
  if (access === 'grant') return `grant as ${role}`;
  return customRole === undefined ? 'role' : 'custom role';
}

function allow(roles: Roles, access: 'member' | 'grant' | 'all', name: RoleName): AccessDecision {
  const permissions = roles.permissionsOf(name);
  return { access, role: roles.id[name], permissions, customRole: undefined, reason: undefined };
}

function allowCustom(roles: Roles, customRole: CustomRole | undefined): AccessDecision {
  if (customRole === undefined) return ACCOUNT_FORBIDDEN;
  const { roleType } = customRole;
  const permissions = roles.knownOf(customRole.permissions);
  return { access: 'member', role: roleType, permissions, customRole, reason: undefined };
}

/** The level that sessions need in an account at a moment; 1 asks nothing more. */
export function accountLevelAt(account: AccountFacts, nowMs: number): number {
  if (account === undefined) return 1;
  const { requiredLevel: level = 1, requiredFromMs = null, requiredUntilThen = 1 } = account;
  return requiredFromMs !== null && nowMs < requiredFromMs ? requiredUntilThen : level;
}

/** The highest level that a call needs, and who requires it; undefined if nothing more is required. */
export function requiredLevel(
  { staff, nowMs }: Pick<LevelFacts, 'staff' | 'nowMs'>,
  account: AccountFacts,
): RequiredLevel | undefined {
  const ofAccount = accountLevelAt(account, nowMs);
  if (staff <= 1 && ofAccount <= 1) return undefined;
  return staff >= ofAccount ? { level: staff, by: 'staff' } : { level: ofAccount, by: 'account' };
}

/** The level that a session has reached in an account: the account's identity provider may give a higher one there. */
export function levelIn(
  { reached, sso }: Pick<LevelFacts, 'reached' | 'sso'>,
  account: AccountFacts,
): number {
  return sso !== undefined && sso.accountId === account?.id ? Math.max(reached, sso.level) : reached;
}

/** Whether an account requires that its identity provider begins sessions, and did not begin this one. */
export function lacksSso(
  { sso, federated }: Pick<LevelFacts, 'sso' | 'federated'>,
  account: AccountFacts,
): boolean {
  if (account?.sso?.required !== true || account.id === undefined || federated === undefined) return false;
  if (sso?.accountId === account.id) return false;
  const { memberId, isOwnerOf } = federated;
  return !(account.sso.exemptIds.includes(memberId) && isOwnerOf(account.id));
}

/** Whether a session's level suffices; the last check. */
export function levelRefusal(
  asked: LevelFacts,
  account?: AccountFacts,
  chain?: AccessLink[],
): LevelRefusal | undefined {
  if (lacksSso(asked, account)) {
    const last = chain?.pop();
    if (last !== undefined) chain?.push({ ...last, effect: 'passes' });
    denied(chain, 'singleSignOn', 'required');
    return 'sso_required';
  }
  const required = requiredLevel(asked, account);
  const { factors, isEnrolment } = asked;
  const reached = levelIn(asked, account);
  if (required === undefined && !isEnrolment) return undefined;
  const isMet = !isEnrolment && (required === undefined || reached >= required.level);
  if (chain !== undefined) {
    const last = chain.pop();
    if (last !== undefined) chain.push({ ...last, effect: 'passes' });
    if (required !== undefined)
      chain.push(
        { fact: 'policy', value: required.by, effect: 'passes' },
        { fact: 'requiredLevel', value: required.level, effect: 'passes' },
      );
    const value = isEnrolment ? 'enrolment only' : reached;
    chain.push({ fact: 'level', value, effect: isMet ? 'allows' : 'denies' });
  }
  if (isMet) return undefined;
  const hasFactor = !isEnrolment && required !== undefined && factors >= required.level;
  return hasFactor ? 'verification_required' : 'enrolment_required';
}
