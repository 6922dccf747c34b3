import { outranks, type Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listSsoConnections } from '@gatehouse/db/queries/sso-connections';

/** The rules of an account for the people of its company. */
export interface DirectoryRules {
  /** The role that members of a group get, by the key of its name; the highest of several. */
  readonly roleOfGroup: ReadonlyMap<string, number>;
  /** The role of people in no such group. */
  readonly defaultRole: number;
}

/** The form in which names of groups are compared. */
export function groupNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/**
 * The roles that the active connections of an account give by groups. Without any, everybody gets the lowest role; of several
 * defaults the lowest applies.
 */
export async function directoryRules(db: Database, roles: Roles, accountId: number): Promise<DirectoryRules> {
  const roleOfGroup = new Map<string, number>();
  let defaultRole: number | undefined;
  for (const { live } of await listSsoConnections(db, accountId)) {
    if (live === null) continue;
    for (const { claim, value, roleType } of live.roleMap) {
      if (claim !== 'groups') continue;
      const key = groupNameKey(value);
      const known = roleOfGroup.get(key);
      if (known === undefined || outranks(roles, roleType, known)) roleOfGroup.set(key, roleType);
    }
    if (defaultRole === undefined || outranks(roles, defaultRole, live.defaultRole))
      defaultRole = live.defaultRole;
  }
  return { roleOfGroup, defaultRole: defaultRole ?? roles.id.userMember };
}

/** The role of people in some groups: the highest that one of them gives. */
export function roleIn(roles: Roles, rules: DirectoryRules, groupNames: readonly string[]): number {
  return (
    groupNames
      .flatMap((name) => rules.roleOfGroup.get(groupNameKey(name)) ?? [])
      .reduce<number | undefined>(
        (highest, role) => (highest === undefined || outranks(roles, role, highest) ? role : highest),
        undefined,
      ) ?? rules.defaultRole
  );
}
