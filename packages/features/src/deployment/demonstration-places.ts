import { createRoles } from '@gatehouse/auth-core';
import {
  DEMONSTRATION_ACCOUNTS,
  DEMONSTRATION_GRANTS,
  DEMONSTRATION_MEMBERSHIPS,
  type DemonstrationPerson,
} from '@gatehouse/db/queries/demonstration-data';
import { roleName } from '../mail/role-names.js';

/** The demonstration has the numbers that the roles have by default. */
const ROLES = createRoles();

/** What a person of the demonstration is where, in words. */
export function demonstrationPlaces({ id, isPersonnel, roleType }: DemonstrationPerson): string {
  if (roleType === ROLES.id.archived) return "archived: can't sign in";
  if (isPersonnel) {
    const granted = DEMONSTRATION_GRANTS.filter(({ personnelId }) => personnelId === id);
    const accounts = granted.map(({ accountId }) => nameOf(accountId)).join(', ');
    return `staff: ${accounts === '' ? 'Admin of the whole service' : `${nameOfRole(roleType)} for ${accounts}`}`;
  }
  return DEMONSTRATION_MEMBERSHIPS.filter(({ memberId }) => memberId === id)
    .map(({ accountId, roleType: role }) => {
      const isOwner = DEMONSTRATION_ACCOUNTS.some((each) => each.id === accountId && each.ownerId === id);
      return `${isOwner ? 'Owner' : nameOfRole(role)} in ${nameOf(accountId)}`;
    })
    .join(', ');
}

const nameOfRole = (roleType: number): string => roleName(ROLES.labelOf(roleType), 'en');

/** `Acme Studio (organization 1)` */
function nameOf(accountId: number): string {
  const name = DEMONSTRATION_ACCOUNTS.find(({ id }) => id === accountId)?.name ?? '';
  return `${name} (organization ${accountId})`;
}
