import { ROLES } from '@gatehouse/client-sdk/admin';
import { t } from '../words.js';

/** The roles that people have in accounts, with their ranks: more is higher. */
const RANKED = [
  [ROLES.admin, 'role.admin', 5],
  [ROLES.owner, 'role.owner', 5],
  [ROLES.accountManager, 'role.accountManager', 4],
  [ROLES.manager, 'role.manager', 3],
  [ROLES.contributor, 'role.contributor', 2],
  [ROLES.designer, 'role.designer', 2],
  [ROLES.userMember, 'role.userMember', 1],
] as const;

export const ROLE_NUMBERS: readonly number[] = RANKED.map(([number]) => number);

/** A role in the language that is shown; one that nobody chooses from a list is empty. */
export function roleWords(roleType: number): string {
  const word = RANKED.find(([number]) => number === roleType)?.[1];
  return word === undefined ? '' : t(word);
}

const rankOf = (roleType: number): number => RANKED.find(([number]) => number === roleType)?.[2] ?? 0;

/** Nobody gives a role above their own, or changes somebody who has one. */
export function mayGiveRole(own: number, roleType: number): boolean {
  return rankOf(own) > 0 && rankOf(own) >= rankOf(roleType);
}
