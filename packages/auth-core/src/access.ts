import type {
  AccessDecision,
  AccessFact,
  AccessLink,
  AccessQuestion,
  AccessSnapshot,
  AccountFacts,
  SessionFacts,
} from './access-question.js';
import {
  ACCOUNT_REQUIRED,
  denied,
  INSUFFICIENT_SCOPE,
  INVALID_CREDENTIALS,
  isActiveMember,
  isRootStaff,
  levelRefusal,
  PERMISSION_DENIED,
  RATE_LIMITED,
  reachIn,
  refusedFor,
  sourceOf,
  staffPermissions,
  statusOf,
  UNAUTHORIZED,
  YES,
} from './account-reach.js';
import { isImpersonationActive } from './impersonation.js';
import type { Permission, StaffPermission } from './permissions.js';
import type { Roles } from './roles.js';

/**
 * Decides what a member may do, for guards and for explanations. An explanation also passes `level`, which is checked last;
 * guards check it themselves. `chain` gets each fact that is looked at, in order; its last link is the one that decides.
 * Guards pass none, and pay one comparison for each fact.
 *
 * Staff of base role 0 come first: they reach every live account, and no membership can reduce that; otherwise an owner
 * could exclude the platform's administrators. For everybody else a membership takes precedence over a grant. In an
 * impersonation a permission counts if the member and the actor hold it.
 */
export function decideAccess(
  roles: Roles,
  member: AccessSnapshot | undefined,
  question: AccessQuestion,
  chain?: AccessLink[],
): AccessDecision {
  const decision = decideRight(roles, member, question, chain);
  const { level, account } = question;
  if (level === undefined || decision.reason !== undefined) return decision;
  const reason = levelRefusal(level, account, chain);
  if (reason === undefined) return decision;
  return decision.access === 'none'
    ? refusedFor(reason)
    : {
        access: decision.access,
        role: decision.role,
        permissions: decision.permissions,
        customRole: decision.customRole,
        reason,
      };
}

/** What a member may do, regardless of how their session was authenticated. */
function decideRight(
  roles: Roles,
  member: AccessSnapshot | undefined,
  question: AccessQuestion,
  chain: AccessLink[] | undefined,
): AccessDecision {
  const { session, accountId, permission, staff, signIn } = question;
  const isInAccount = accountId !== undefined || permission !== undefined;
  const isAboutMore = isInAccount || staff !== undefined;
  const isEnd = !isAboutMore && session === undefined && signIn === undefined;
  if (!isSomebody(roles, member, isEnd, chain))
    return signIn === undefined ? UNAUTHORIZED : INVALID_CREDENTIALS;
  if (signIn !== undefined && !mayTry(signIn.lock, !isAboutMore, chain)) return RATE_LIMITED;
  if (session !== undefined && !isOpenSession(roles, member, session, !isAboutMore, chain))
    return UNAUTHORIZED;
  if (isInAccount) return decideInAccount(roles, member, accountId, question, chain);
  if (staff !== undefined) return decideAsStaff(roles, member, staff.permission, chain);
  return YES;
}

/** A member who is not deleted or archived. */
function isSomebody(
  roles: Roles,
  member: AccessSnapshot | undefined,
  isEnd: boolean,
  chain: AccessLink[] | undefined,
): member is AccessSnapshot {
  if (member === undefined || !isActiveMember(roles, member)) {
    chain?.push({ fact: 'memberStatus', value: statusOf(roles, member), effect: 'denies' });
    return false;
  }
  chain?.push({ fact: 'memberStatus', value: 'live', effect: isEnd ? 'allows' : 'passes' });
  return true;
}

/** Whether a member may try to sign in. */
function mayTry(lock: string | null, isLast: boolean, chain: AccessLink[] | undefined): boolean {
  if (lock !== null) return denied(chain, 'lock', lock);
  chain?.push({ fact: 'lock', value: null, effect: isLast ? 'allows' : 'passes' });
  return true;
}

function isOpenSession(
  roles: Roles,
  member: AccessSnapshot,
  { isRevoked, row, lapse, issuedAtMs, impersonation }: SessionFacts,
  isLast: boolean,
  chain: AccessLink[] | undefined,
): boolean {
  if (isRevoked) return denied(chain, 'session', 'revoked');
  if (row !== undefined) {
    if (row.memberId !== member.id) return denied(chain, 'session', 'of another member');
    if (row.endedAtMs !== null) return denied(chain, 'session', 'ended');
    if (row.epoch !== member.sessionEpoch) return denied(chain, 'sessionEpoch', member.sessionEpoch);
  } else if (issuedAtMs <= member.tokensValidAfterMs) {
    return denied(chain, 'session', 'issued before all were ended');
  }
  if (lapse !== undefined) return denied(chain, 'session', lapse);
  if (impersonation === undefined) {
    chain?.push({ fact: 'session', value: 'open', effect: isLast ? 'allows' : 'passes' });
    return true;
  }
  chain?.push({ fact: 'session', value: 'open', effect: 'passes' });
  if (!isImpersonationActive(roles, member, impersonation, chain)) return false;
  chain?.push({ fact: 'impersonation', value: 'on', effect: isLast ? 'allows' : 'passes' });
  return true;
}

function decideInAccount(
  roles: Roles,
  member: AccessSnapshot,
  accountId: number | undefined,
  { account, permission }: AccessQuestion,
  chain: AccessLink[] | undefined,
): AccessDecision {
  if (accountId === undefined) return decideWithoutAccount(roles, member, chain);
  const whole = reachIn(roles, member, accountId, account, chain);
  if (whole.access === 'none') return whole;
  const { actor, scopes } = member;
  const reached = scopes === undefined ? whole : withinScopes(whole, scopes);
  const acting = actor && reachAsActor(roles, actor, accountId, account, chain);
  if (acting?.access === 'none') return acting;
  const decision = acting === undefined ? reached : withinBoth(reached, acting);
  if (permission === undefined) {
    endChain(chain);
    return decision;
  }
  const isOwn = reached.permissions.has(permission);
  const isHeld = decision.permissions.has(permission);
  const ownEffect = acting === undefined ? 'allows' : 'passes';
  chain?.push({
    fact: 'permission',
    value: isOwn ? sourceOf(reached) : null,
    effect: isOwn ? ownEffect : 'denies',
  });
  if (acting !== undefined && isOwn) {
    const effect = isHeld ? 'allows' : 'denies';
    chain?.push({ fact: 'actor.permission', value: isHeld ? sourceOf(acting) : null, effect });
  }
  if (isHeld) return decision;
  return { ...decision, reason: scopes === undefined ? 'permission_denied' : 'insufficient_scope' };
}

/** What the key of a machine may do there. */
function withinScopes(reached: Reached, scopes: ReadonlySet<string>): Reached {
  return { ...reached, permissions: new Set([...reached.permissions].filter((each) => scopes.has(each))) };
}

/** How the actor of an impersonation reaches an account, by the actor's own rights. */
function reachAsActor(
  roles: Roles,
  actor: AccessSnapshot,
  accountId: number,
  account: AccountFacts,
  chain: AccessLink[] | undefined,
): AccessDecision {
  const links: AccessLink[] | undefined = chain && [];
  const acting = reachIn(roles, actor, accountId, account, links);
  for (const { fact, value, effect } of links ?? []) chain?.push({ fact: ofActor(fact), value, effect });
  return acting;
}

type Reached = Exclude<AccessDecision, { access: 'none' }>;

/** What both the member and the actor may do there. */
function withinBoth(reached: Reached, acting: Reached): Reached {
  const { access, role, customRole, reason } = reached;
  const permissions = new Set([...reached.permissions].filter((each) => acting.permissions.has(each)));
  return { access, role, permissions, customRole, reason };
}

/** A permission in accounts while none is selected: only staff of base role 0 hold it in all of them. */
function decideWithoutAccount(
  roles: Roles,
  member: AccessSnapshot,
  chain: AccessLink[] | undefined,
): AccessDecision {
  const isHeld = isRootStaff(roles, member);
  chain?.push({ fact: 'accountState', value: 'none selected', effect: isHeld ? 'passes' : 'denies' });
  if (!isHeld) return ACCOUNT_REQUIRED;
  chain?.push({ fact: 'permission', value: 'all accounts', effect: 'allows' });
  return YES;
}

function decideAsStaff(
  roles: Roles,
  member: AccessSnapshot,
  permission: StaffPermission | undefined,
  chain: AccessLink[] | undefined,
): AccessDecision {
  if (member.actor !== undefined && permission !== undefined) {
    chain?.push({ fact: 'impersonation', value: 'no staff', effect: 'denies' });
    return PERMISSION_DENIED;
  }
  if (!member.isPersonnel) {
    chain?.push({ fact: 'staff', value: false, effect: 'denies' });
    return PERMISSION_DENIED;
  }
  if (permission === undefined) {
    chain?.push({ fact: 'staff', value: true, effect: 'allows' });
    return YES;
  }
  const isHeld = staffPermissions(roles, member).has(permission);
  chain?.push(
    { fact: 'staff', value: true, effect: 'passes' },
    { fact: 'baseRole', value: member.roleType, effect: 'passes' },
    { fact: 'permission', value: isHeld ? 'role' : null, effect: isHeld ? 'allows' : 'denies' },
  );
  if (isHeld) return YES;
  return member.scopes === undefined ? PERMISSION_DENIED : INSUFFICIENT_SCOPE;
}

/**
 * The accounts in which staff hold a permission when none is selected: `all` for base role 0, the granted ones
 * for other staff, none for everybody else. The query leaves out deleted accounts.
 */
export function staffReach(
  roles: Roles,
  snapshot: AccessSnapshot,
  permission: Permission,
): 'all' | ReadonlySet<number> {
  if (!snapshot.isPersonnel || !isActiveMember(roles, snapshot)) return new Set();
  if (isRootStaff(roles, snapshot)) return 'all';
  return new Set([...snapshot.grants].filter(holdsIn(roles, snapshot, permission)));
}

/**
 * The accounts in which a member holds a permission, by membership or grant: `all` for staff of base role 0. The
 * query leaves out deleted accounts.
 */
export function accountReach(
  roles: Roles,
  snapshot: AccessSnapshot,
  permission: Permission,
): 'all' | ReadonlySet<number> {
  const asStaff = staffReach(roles, snapshot, permission);
  if (asStaff === 'all') return 'all';
  return new Set([
    ...[...snapshot.memberships.keys()].filter(holdsIn(roles, snapshot, permission)),
    ...asStaff,
  ]);
}

const LIVE_ACCOUNT = { isDeleted: false } as const;

function holdsIn(roles: Roles, snapshot: AccessSnapshot, permission: Permission) {
  return (accountId: number) =>
    decideAccess(roles, snapshot, { accountId, account: LIVE_ACCOUNT }).permissions.has(permission);
}

/** Without a permission in the question, the way into the account decided. */
function endChain(chain: AccessLink[] | undefined): void {
  const last = chain?.pop();
  if (last !== undefined) chain?.push({ ...last, effect: 'allows' });
}

function ofActor(fact: AccessLink['fact']): AccessLink['fact'] {
  return isOfActor(fact) ? fact : `actor.${fact}`;
}

function isOfActor(fact: AccessLink['fact']): fact is `actor.${AccessFact}` {
  return fact.startsWith('actor.');
}
