import { type MainOutputs, ROLES } from '@gatehouse/client-sdk';
import type { Choice } from '@gatehouse/ui/form/select-field';
import { aboutRole, roleName } from '@gatehouse/ui/team/role-name';
import { useQuery } from '@tanstack/react-query';
import { type Place, usePlace } from '../account-place.js';

type Role = MainOutputs['role']['list']['data'][number];

/** What a member may do with the roles of an account. */
export interface RoleRules {
  /** All roles, as choices by their labels. */
  readonly all: readonly Choice[];
  /** The roles they may give, as choices. */
  readonly choices: readonly Choice[];
  /** The built-in role with the fewest permissions; those of custom roles are unknown here. */
  readonly least: string;
  /** Whether they may change or remove members of a role. */
  mayChange(roleType: number): boolean;
  /** Whether the role gives any access to the account. */
  hasAccess(roleType: number): boolean;
}

/** The rules of the roles of the account, once they are known. */
export function useRoles(): RoleRules | undefined {
  const place = usePlace();
  const { data } = useQuery({
    queryKey: [...place.key, 'roles'],
    queryFn: ({ signal }) => place.api.role.list.query({ limit: 200 }, { signal }),
  });
  return data === undefined ? undefined : rulesOf(data.data, place);
}

function rulesOf(roles: readonly Role[], { role: own, permissions }: Place): RoleRules {
  const ranks = ranksOf(roles.filter(({ isBuiltIn }) => isBuiltIn));
  // Roles that are not listed have no permissions.
  const rankOf = (roleType: number) => ranks.get(roleType) ?? ranks.size;
  const isBelow = (roleType: number) => rankOf(roleType) >= rankOf(own);
  const given = roles.filter(
    (role) => isBelow(role.roleType) && role.permissions.every((each) => permissions.includes(each)),
  );
  const least = given.findLast(({ isBuiltIn }) => isBuiltIn) ?? given.at(-1);
  return {
    all: roles.filter(isShown).map(({ name }) => ({ value: name, label: roleName(name) })),
    choices: given.filter(isShown).map((role) => ({
      value: choiceOf(role),
      label: role.isBuiltIn ? roleName(role.name) : role.name,
      about: role.isBuiltIn ? aboutRole(role.name) : undefined,
    })),
    least: least === undefined ? '' : choiceOf(least),
    mayChange: isBelow,
    hasAccess: (roleType) => ranks.has(roleType),
  };
}

/** Roles 0 and 1 may do the same and are both called Admin, so only one of them is offered. */
function isShown({ isBuiltIn, roleType }: Role): boolean {
  return !isBuiltIn || roleType !== ROLES.owner;
}

/** The ranks of the built-in roles, which are listed highest first. Those with the same permissions rank alike. */
function ranksOf(builtIn: readonly Role[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  let before: Role | undefined;
  for (const role of builtIn) {
    const isLikeBefore = before?.permissions.join() === role.permissions.join();
    const rank = before === undefined ? 0 : (ranks.get(before.roleType) ?? 0) + (isLikeBefore ? 0 : 1);
    ranks.set(role.roleType, rank);
    before = role;
  }
  return ranks;
}

/** A role as a choice in a list: custom ones have their own numbers. */
export function choiceOf({
  customRoleId,
  roleType,
}: {
  readonly customRoleId: number | null;
  readonly roleType: number | null;
}): string {
  return customRoleId === null ? `built-in ${roleType ?? ''}` : `custom ${customRoleId}`;
}

/** A choice in the form that calls take. */
export function roleOf(value: string): { roleType: number } | { customRoleId: number } {
  const [kind, id = ''] = value.split(' ');
  return kind === 'custom' ? { customRoleId: Number(id) } : { roleType: Number(id) };
}

export type TeamMember = MainOutputs['member']['list']['data'][number];

/** The fields by which a member is named. */
export type NamedMember = Pick<TeamMember, 'id' | 'firstName' | 'lastName' | 'username'>;
