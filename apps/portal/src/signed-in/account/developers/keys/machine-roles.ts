import { type MainOutputs, ROLES } from '@gatehouse/client-sdk';
import type { Choice } from '@gatehouse/ui/form/select-field';
import { aboutRole, roleName } from '@gatehouse/ui/team/role-name';
import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../account-place.js';
import { choiceOf } from '../../team/team-roles.js';

type Role = MainOutputs['role']['list']['data'][number];

export type Machine = MainOutputs['machine']['list']['data'][number];

/** The label of the one built-in role below the owners that no machine has. */
const ACCOUNT_MANAGER = 'Account Manager';

/** What no key may do, whoever makes it: manage keys, or where events go. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['key.manage', 'event.manage']);

/** What machines may be in an account. */
export interface MachineRoles {
  /** The roles that the person who asks may give, as choices. */
  readonly choices: readonly Choice[];
  /** The one with the fewest permissions. */
  readonly least: string;
  /** The name of a machine's role; undefined for a custom role that is gone. */
  nameOf(machine: Machine): string | undefined;
  /** The permissions that a key of a machine may have. */
  scopesOf(machine: Machine): readonly string[];
}

/** The roles of machines. */
export function useMachineRoles() {
  const { api, key, permissions } = usePlace();
  return useQuery({
    queryKey: [...key, 'roles'],
    queryFn: ({ signal }) => api.role.list.query({ limit: 200 }, { signal }),
    select: ({ data }) => rolesOf(data, permissions),
  });
}

function rolesOf(all: readonly Role[], held: readonly string[]): MachineRoles {
  const barred = new Set<number>([ROLES.admin, ROLES.owner]);
  for (const { isBuiltIn, name, roleType } of all)
    if (isBuiltIn && name === ACCOUNT_MANAGER) barred.add(roleType);
  const given = all.filter(
    ({ roleType, permissions }) => !barred.has(roleType) && permissions.every((each) => held.includes(each)),
  );
  const least = given.findLast(({ isBuiltIn }) => isBuiltIn) ?? given.at(-1);
  const roleOfMachine = (machine: Machine): Role | undefined =>
    all.find((role) => choiceOf(role) === choiceOf(machine));
  const nameOf = ({ name, isBuiltIn }: Role): string => (isBuiltIn ? roleName(name) : name);
  return {
    choices: given.map((role) => ({
      value: choiceOf(role),
      label: nameOf(role),
      about: role.isBuiltIn ? aboutRole(role.name) : undefined,
    })),
    least: least === undefined ? '' : choiceOf(least),
    nameOf(machine) {
      const role = roleOfMachine(machine);
      return role === undefined ? undefined : nameOf(role);
    },
    scopesOf: (machine) =>
      (roleOfMachine(machine)?.permissions ?? []).filter(
        (each) => held.includes(each) && !FOR_PEOPLE.has(each),
      ),
  };
}
