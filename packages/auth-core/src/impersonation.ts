import type { AccessLink, AccessSnapshot, AccountFacts, ImpersonationFacts } from './access-question.js';
import { denied, isActiveMember, isRootStaff, reachIn, staffPermissions, statusOf } from './account-reach.js';
import { outranks, type Roles } from './roles.js';

/** Whether an impersonation is still active: nobody ended it, and its actor would still be allowed to begin it. */
export function isImpersonationActive(
  roles: Roles,
  member: AccessSnapshot,
  { id, actorEpoch, accountId, account, isExpired }: ImpersonationFacts,
  chain: AccessLink[] | undefined,
): boolean {
  const { actor } = member;
  if (isExpired) return denied(chain, 'impersonation', 'expired');
  if (actor === undefined) return denied(chain, 'actor.memberStatus', 'unknown');
  if (!isActiveMember(roles, actor)) return denied(chain, 'actor.memberStatus', statusOf(roles, actor));
  if (actor.impersonationId !== id) return denied(chain, 'impersonation', 'ended');
  if (actor.sessionEpoch !== actorEpoch) return denied(chain, 'actor.sessionEpoch', actor.sessionEpoch);
  return mayImpersonate(roles, { actor, member, accountId, account }, chain);
}

/**
 * Whether staff may act for a member: never for themselves, and for other staff only root, for those of a lower rank. Staff of
 * another base role need a granted account to which the member belongs.
 */
export function mayImpersonate(
  roles: Roles,
  {
    actor,
    member,
    accountId,
    account,
  }: {
    readonly actor: AccessSnapshot;
    readonly member: AccessSnapshot;
    readonly accountId: number | null;
    readonly account: AccountFacts;
  },
  chain?: AccessLink[],
): boolean {
  const isRoot = isRootStaff(roles, actor);
  if (!staffPermissions(roles, actor).has('member.impersonate'))
    return denied(chain, 'actor.permission', 'member.impersonate');
  if (actor.id === member.id) return denied(chain, 'impersonation', 'of oneself');
  if (!isActiveMember(roles, member)) return denied(chain, 'memberStatus', statusOf(roles, member));
  if (member.isPersonnel && !(isRoot && outranks(roles, actor.roleType, member.roleType)))
    return denied(chain, 'staff', true);
  if (!isRoot && (accountId === null || !actor.grants.has(accountId)))
    return denied(chain, 'actor.grant', false);
  if (accountId === null) return true;
  const own = { ...member, actor: undefined };
  if (reachIn(roles, actor, accountId, account, undefined).access === 'none')
    return denied(chain, 'actor.accountState', 'out of reach');
  if (reachIn(roles, own, accountId, account, undefined).access === 'none')
    return denied(chain, 'membership', null);
  return true;
}
