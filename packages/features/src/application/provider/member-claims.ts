import { decideAccess } from '@gatehouse/auth-core';
import { isProven } from '@gatehouse/db/queries/member-columns';
import type { AccountClaims } from 'oidc-provider';
import type { MemberSnapshot } from '../../core/access/access-reader.js';
import type { Services } from '../../core/context.js';
import type { GrantFacts } from '../../core/guard/grant-standing.js';
import { levelFacts } from '../../core/guard/level.js';

/** More accounts than this are left out of `accounts`, and `accounts_truncated` says so. */
const MAX_ACCOUNTS = 250;

/** The claims of each scope (OpenID Connect Core, section 5.4, and our own). */
export const CLAIMS = {
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email', 'email_verified'],
  accounts: ['accounts', 'accounts_truncated'],
  account: ['account'],
};

/** What an application learns about a member, as of now, within the scopes of its grant. */
export async function memberClaims(
  services: Services,
  member: MemberSnapshot,
  { scopes, grant }: { readonly scopes: ReadonlySet<string>; readonly grant: GrantFacts },
): Promise<AccountClaims> {
  const claims: Record<string, unknown> = {};
  if (scopes.has('profile') || scopes.has('email')) {
    const profile = await services.access.profile(member);
    if (profile !== undefined && scopes.has('profile')) {
      const { firstName, lastName, username } = profile;
      claims['name'] = [firstName, lastName].filter(Boolean).join(' ') || username;
      claims['given_name'] = firstName;
      claims['family_name'] = lastName;
      claims['preferred_username'] = username;
    }
    if (profile !== undefined && scopes.has('email') && profile.emailConfirmedAtMs !== null) {
      claims['email'] = profile.email;
      claims['email_verified'] = isProven(profile);
    }
  }
  if (scopes.has('accounts')) {
    const reached = [...new Set([...member.memberships.keys(), ...member.grants])].toSorted((a, b) => a - b);
    const ids = grant.publisherId === null ? reached : reached.filter((id) => id === grant.publisherId);
    claims['accounts'] = await accountClaims(services, member, { ids: ids.slice(0, MAX_ACCOUNTS), grant });
    if (ids.length > MAX_ACCOUNTS) claims['accounts_truncated'] = true;
  }
  if (scopes.has('account') && grant.inAccountId !== null) {
    const [account] = await accountClaims(services, member, { ids: [grant.inAccountId], grant });
    claims['account'] = account;
  }
  return { sub: String(member.id), ...claims };
}

/** The accounts that a member reaches now in a session of the level of the grant. */
async function accountClaims(
  services: Services,
  member: MemberSnapshot,
  { ids, grant }: { readonly ids: readonly number[]; readonly grant: GrantFacts },
) {
  const accounts = await services.access.accounts(ids);
  const level = levelFacts(services, member, { level: grant.level, recoveryId: undefined });
  return ids.flatMap((id) => {
    const account = accounts.get(id);
    const decision = decideAccess(services.roles, member, { accountId: id, account, level });
    if (account === undefined || decision.reason !== undefined || decision.access === 'none') return [];
    return [{ id, name: account.name, role: decision.role, permissions: [...decision.permissions] }];
  });
}
