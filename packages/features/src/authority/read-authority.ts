import { type Database, listLiveMemberships } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import { openedAccounts } from '../app/reachable-accounts.js';
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
}

/** What the caller may do with a member who is not deleted, as the rows say now. */
export async function readAuthority(
  { services, caller, scope }: Pick<StaffContext, 'services' | 'caller' | 'scope'>,
  { db, accounts }: AuthoritySource,
  member: SubjectRow,
  permission: AskedAuthority['permission'],
): Promise<Authority> {
  const { roles } = services;
  const [roleType, memberships] = [
    await formerRole(db, roles, member),
    await listLiveMemberships(db, member.id),
  ];
  const places = memberships.map(({ accountId }) => accountId);
  const opened = await openedAccounts({ services }, { accounts }, caller, places);
  const subject = { isPersonnel: member.isPersonnel, roleType, memberships };
  return authorityOver(roles, caller.member, { scope, permission, opened }, subject);
}
