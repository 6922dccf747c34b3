import { isProductPermission, type Roles } from '@gatehouse/auth-core';
import { ONLY_FOR_OWNERS } from '../access/access-reader.js';

/** The permissions of the service with which nothing can be changed. */
const READING: ReadonlySet<string> = new Set([
  'account.read',
  'conversation.read',
  'event.read',
  'member.list',
  'subscription.read',
]);

/** Scopes that stand for all permissions of the service that only read, and for those that also write. */
export const BUNDLES: ReadonlySet<string> = new Set(['read', 'manage']);

/** The permissions in an account that an application can be given: all but those for owners alone. */
function grantablePermissions({ permissions }: Pick<Roles, 'permissions'>): readonly string[] {
  return permissions.filter((permission) => !ONLY_FOR_OWNERS.has(permission));
}

/** The scopes of our own API: permissions in an account, and what stands for several of them. */
export function apiScopes(roles: Pick<Roles, 'permissions'>): ReadonlySet<string> {
  return new Set([...BUNDLES, ...grantablePermissions(roles)]);
}

/**
 * The permissions that scopes stand for. Permissions of the product are not included in such scopes, because the service does not
 * know which of them only read.
 */
export function permissionsOf(
  roles: Pick<Roles, 'permissions'>,
  scopes: readonly string[],
): ReadonlySet<string> {
  const named = new Set(scopes);
  return new Set(
    grantablePermissions(roles).filter((permission) => {
      if (named.has(permission)) return true;
      return !isProductPermission(permission) && named.has(READING.has(permission) ? 'read' : 'manage');
    }),
  );
}
