import { accountLevelAt } from '@gatehouse/auth-core';
import { type Database, listLiveMemberships, listReturningPlaces } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import { type AskedAuthority, type Authority, authorityOver } from './authority-over.js';
import { formerRole } from './former-role.js';
import type { StaffContext } from './staff-context.js';

/** Where the state of a member and their accounts is read. */
export interface AuthoritySource {
  readonly db: Database;
  readonly accounts: AccessReader['accounts'];
}

/** The subject of a call, as its row has it. */
interface SubjectRow {
  readonly id: number;
  readonly roleType: number;
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
}

/**
 * What the caller may do with a member, as the rows say now. For a deleted member, the memberships count that would come back
 * with them.
 */
export async function readAuthority(
  { services, caller, scope }: Pick<StaffContext, 'services' | 'caller' | 'scope'>,
  { db, accounts }: AuthoritySource,
  member: SubjectRow,
  permission: AskedAuthority['permission'],
): Promise<Authority> {
  const { roles } = services;
  const roleType = await formerRole(db, roles, member);
  const memberships = member.isDeleted
    ? (await listReturningPlaces(db, member.id)).filter(({ staysClosed }) => !staysClosed)
    : await listLiveMemberships(db, member.id);
  const places = memberships.map(({ accountId }) => accountId);
  const states = await accounts(places);
  // Accounts that closed with the member would open again.
  const opened = places.filter((id) => {
    const state = states.get(id);
    return state !== undefined && accountLevelAt(state, services.now()) <= caller.session.level;
  });
  const subject = { isPersonnel: member.isPersonnel, roleType, memberships };
  return authorityOver(roles, caller.member, { scope, permission, opened }, subject);
}
