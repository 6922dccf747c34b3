import { createRoles } from '@gatehouse/auth-core';
import {
  DEMONSTRATION_GRANTS,
  DEMONSTRATION_MEMBERSHIPS,
  type DemonstrationPerson,
} from '@gatehouse/db/queries/demonstration-data';

/** The demonstration has the numbers that the roles have by default. */
const ROLES = createRoles();

/** Where a person of the demonstration may do what, in words. */
export function demonstrationPlaces({ id, isPersonnel, roleType }: DemonstrationPerson): string {
  if (roleType === ROLES.id.archived) return 'archived: cannot sign in';
  if (isPersonnel) {
    const granted = DEMONSTRATION_GRANTS.filter(({ personnelId }) => personnelId === id);
    return `staff, ${granted.map(({ accountId }) => `account ${accountId}`).join(', ') || 'every account'}`;
  }
  return DEMONSTRATION_MEMBERSHIPS.filter(({ memberId }) => memberId === id)
    .map((place) => `${ROLES.labelOf(place.roleType)} in account ${place.accountId}`)
    .join(', ');
}
