import type { AccessLink } from './access-chain.js';
import type {
  AccessDecision,
  AccessRefusal,
  AccessSnapshot,
  AskedAccount,
  CustomRole,
  LevelRefusal,
} from './access-question.js';
import { isRootStaff } from './active-member.js';
import { ROLE_PERMISSIONS, type RoleName, type Roles } from './roles.js';

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
const ENROLMENT_REQUIRED = without('enrolment_required');
const VERIFICATION_REQUIRED = without('verification_required');
/** The answer to a question about no account that is refused for the session's level. */
export const refusedFor = (reason: LevelRefusal): AccessDecision =>
  reason === 'enrolment_required' ? ENROLMENT_REQUIRED : VERIFICATION_REQUIRED;
/** The answer to a question about no account. */
export const YES = without(undefined);

/** How a member reaches an account, by their own rights. */
export function reachIn(
  roles: Roles,
  member: AccessSnapshot,
  accountId: number,
  account: AskedAccount,
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
  if (customRoles?.has(accountId)) return allowCustom(customRoles.get(accountId));
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
  const permissions = ROLE_PERMISSIONS[name];
  return { access, role: roles.id[name], permissions, customRole: undefined, reason: undefined };
}

function allowCustom(customRole: CustomRole | undefined): AccessDecision {
  if (customRole === undefined) return ACCOUNT_FORBIDDEN;
  const { roleType, permissions } = customRole;
  return { access: 'member', role: roleType, permissions, customRole, reason: undefined };
}
