/** The roles by meaning; their numbers, as stored and sent, are partly configured. */
export type RoleName =
  | 'admin'
  | 'owner'
  | 'manager'
  | 'contributor'
  | 'designer'
  | 'userMember'
  | 'accountManager'
  | 'archived';

/** Role numbers, labels and ranks of one deployment. */
export interface Roles {
  /** The number of each role. */
  readonly id: Readonly<Record<RoleName, number>>;
  /** The role a number stands for; undefined for a number that is no role. */
  nameOf(roleType: number): RoleName | undefined;
  /** The label shown to people; `Unknown` for a number that is no role. */
  labelOf(roleType: number): string;
}

/** The label of each role, as shown to people and stored beside the number. */
export const ROLE_LABELS: Readonly<Record<RoleName, string>> = {
  admin: 'Admin',
  owner: 'Owner',
  manager: 'Manager/Collaborator',
  contributor: 'Contributor',
  designer: 'Designer',
  userMember: 'User Member',
  accountManager: 'Account Manager',
  archived: 'Archived',
};

const RANKS: Readonly<Record<RoleName, number>> = {
  admin: 5,
  owner: 5,
  accountManager: 4,
  manager: 3,
  contributor: 2,
  designer: 2,
  userMember: 1,
  archived: 0,
};

/**
 * The roles of a deployment, with the three configured numbers (DESIGNER, USER_MEMBER,
 * ACCOUNT_MANAGER) filled in.
 *
 * @throws RangeError unless the numbers are distinct whole numbers outside 0, 1, 2, 3 and 11.
 */
export function createRoles(configured = { designer: 4, userMember: 5, accountManager: 6 }): Roles {
  const id: Record<RoleName, number> = {
    admin: 0,
    owner: 1,
    manager: 2,
    contributor: 3,
    designer: configured.designer,
    userMember: configured.userMember,
    accountManager: configured.accountManager,
    archived: 11,
  };
  const numbers = Object.values(id);
  if (
    new Set(numbers).size !== numbers.length ||
    !numbers.every((each) => Number.isSafeInteger(each) && each >= 0)
  ) {
    throw new RangeError('role numbers must be distinct whole numbers outside 0, 1, 2, 3 and 11');
  }
  const byId = new Map<number, RoleName>([
    [id.admin, 'admin'],
    [id.owner, 'owner'],
    [id.manager, 'manager'],
    [id.contributor, 'contributor'],
    [id.designer, 'designer'],
    [id.userMember, 'userMember'],
    [id.accountManager, 'accountManager'],
    [id.archived, 'archived'],
  ]);

  return {
    id,
    nameOf: (roleType) => byId.get(roleType),
    labelOf(roleType) {
      const name = byId.get(roleType);
      return name === undefined ? 'Unknown' : ROLE_LABELS[name];
    },
  };
}

/** Whether `subject` stands strictly below `actor`. A number that is no role stands below all. */
export function outranks(roles: Roles, actor: number, subject: number): boolean {
  return rankOf(roles, actor) > rankOf(roles, subject);
}

/** Whether rank allows `actor` to give `roleType` to somebody: a known role, not above the actor's own. */
export function mayGive(roles: Roles, actor: number, roleType: number): boolean {
  if (roles.nameOf(roleType) === undefined || !isActing(roles, actor)) return false;
  return !outranks(roles, roleType, actor);
}

/** Whether rank allows `actor` to change somebody of role `subject`: anyone who does not outrank the actor. */
export function mayChange(roles: Roles, actor: number, subject: number): boolean {
  return isActing(roles, actor) && !outranks(roles, subject, actor);
}

function rankOf(roles: Roles, roleType: number): number {
  const name = roles.nameOf(roleType);
  return name === undefined ? -1 : RANKS[name];
}

function isActing(roles: Roles, actor: number): boolean {
  return rankOf(roles, actor) > RANKS.archived;
}
