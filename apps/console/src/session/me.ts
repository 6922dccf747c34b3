import { type AdminOutputs, type Permission, ROLES, type StaffPermission } from '@gatehouse/client-sdk/admin';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

export type Me = AdminOutputs['session']['me'];

/** How often a page that nobody touches asks whether its session still is. */
const LOOKS_EVERY_MS = 60_000;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => gatehouse.api.session.me.query(undefined, { signal }),
  refetchInterval: LOOKS_EVERY_MS,
  refetchOnWindowFocus: 'always',
});

export const MeContext = createContext<Me | undefined>(undefined);

/** Who is signed in. Every screen within the frame is shown only once this is known. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error('This is not within the frame');
  return me;
}

/** Whether staff have a permission in all accounts, or in one that is granted to them. */
export function mayAnywhere({ isPersonnel, allAccounts, grants }: Me, permission: Permission): boolean {
  return isPersonnel && (allAccounts || grants.some(({ permissions }) => permissions.includes(permission)));
}

/** Whether staff have a permission outside accounts. */
export function mayAsStaff({ staffPermissions }: Me, permission: StaffPermission): boolean {
  return staffPermissions.includes(permission);
}

/** The roles that people have in accounts, the highest first. */
const NAMED = [
  [ROLES.admin, 'role.admin'],
  [ROLES.owner, 'role.owner'],
  [ROLES.accountManager, 'role.accountManager'],
  [ROLES.manager, 'role.manager'],
  [ROLES.contributor, 'role.contributor'],
  [ROLES.designer, 'role.designer'],
  [ROLES.userMember, 'role.userMember'],
] as const;

export const ROLE_NUMBERS: readonly number[] = NAMED.map(([number]) => number);

/** A role in the language that is shown; one that nobody chooses from a list is empty. */
export function roleWords(roleType: number): string {
  const word = NAMED.find(([number]) => number === roleType)?.[1];
  return word === undefined ? '' : t(word);
}

interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** What somebody is called on the pages: their names, else their username. */
export function shownName({ firstName, lastName, username }: Named): string {
  return `${firstName} ${lastName}`.trim() || username;
}
