import { ROLES } from '@gatehouse/client-sdk/admin';
import { t } from '../words.js';

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
