import type { Roles } from '@gatehouse/auth-core';
import { ONLY_FOR_OWNERS } from '../core/access/access-reader.js';

/** Scopes that say what an application is told of a member (OpenID Connect Core, section 5.4), and how long it stays. */
const ABOUT_MEMBERS = ['openid', 'profile', 'email', 'accounts', 'account', 'offline_access'] as const;

/** The scopes that every application may ask for without an API. */
export const OPENID_SCOPES: ReadonlySet<string> = new Set(ABOUT_MEMBERS);

/** Scopes that stand for all permissions that only read, and for those that write. */
const BUNDLES = ['read', 'manage'] as const;

/** Scopes that stand for what a role holds of a kind, whatever that is. */
export const BUNDLE_SCOPES: ReadonlySet<string> = new Set(BUNDLES);

/** The scopes that an application may be given. A permission for owners alone is none. */
export function applicationScopes({ permissions }: Pick<Roles, 'permissions'>): ReadonlySet<string> {
  const grantable = permissions.filter((permission) => !ONLY_FOR_OWNERS.has(permission));
  return new Set([...ABOUT_MEMBERS, ...BUNDLES, ...grantable]);
}
