import type { Roles } from '@gatehouse/auth-core';
import { apiScopes } from '../core/guard/scope-permissions.js';

/** Scopes for what an application learns about a member (OpenID Connect Core, section 5.4), and for how long. */
const ABOUT_MEMBERS = ['openid', 'profile', 'email', 'accounts', 'account', 'offline_access'] as const;

/** The scopes that every application may ask for without an API. */
export const OPENID_SCOPES: ReadonlySet<string> = new Set(ABOUT_MEMBERS);

/** The scopes that an application may be given. A permission that only owners have is not one of them. */
export function applicationScopes(roles: Pick<Roles, 'permissions'>): ReadonlySet<string> {
  return new Set([...ABOUT_MEMBERS, ...apiScopes(roles)]);
}
