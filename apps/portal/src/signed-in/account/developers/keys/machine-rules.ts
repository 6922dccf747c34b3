import { type MainOutputs, ROLES } from '@gatehouse/client-sdk';
import type { MachineRules } from '@gatehouse/ui/developers/programs';
import { aboutRole, roleName } from '@gatehouse/ui/team/role-name';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import { useQuery } from '@tanstack/react-query';
import { type Place, usePlace } from '../../account-place.js';
import { choiceOf, roleOf } from '../../team/team-roles.js';
import { t } from '../words.js';

type Role = MainOutputs['role']['list']['data'][number];

/** The label of the one built-in role below the owners that no machine can have. */
const ACCOUNT_MANAGER = 'Account Manager';

/** Permissions that no key can have: to manage keys, and to choose where events are sent. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['key.manage', 'event.manage', 'app.manage', 'sso.manage']);

/** What the machines of the account may be, and may do. */
export function useMachineRules() {
  const place = usePlace();
  const { api, key } = place;
  return useQuery({
    queryKey: [...key, 'roles'],
    queryFn: ({ signal }) => api.role.list.query({ limit: 200 }, { signal }),
    select: ({ data }) => rulesOf(data, place),
  });
}

function rulesOf(all: readonly Role[], { api, permissions: held }: Place): MachineRules {
  const barred = new Set<number>([ROLES.admin, ROLES.owner]);
  for (const { isBuiltIn, name, roleType } of all)
    if (isBuiltIn && name === ACCOUNT_MANAGER) barred.add(roleType);
  const given = all.filter(
    ({ roleType, permissions }) => !barred.has(roleType) && permissions.every((each) => held.includes(each)),
  );
  const roleOfMachine = (machine: Parameters<typeof choiceOf>[0]): Role | undefined =>
    all.find((role) => choiceOf(role) === choiceOf(machine));
  const nameOf = ({ name, isBuiltIn }: Role): string => (isBuiltIn ? roleName(name) : name);
  const choices = given.map((role) => ({
    value: choiceOf(role),
    label: nameOf(role),
    about: role.isBuiltIn ? aboutRole(role.name) : undefined,
  }));
  /** The one with the fewest permissions. */
  const least = given.findLast(({ isBuiltIn }) => isBuiltIn) ?? given.at(-1);
  return {
    words: {
      editLead: t('machine.editLead'),
      removeEffect: t('machine.removeEffect'),
      keyLead: t('key.newLead'),
    },
    role: {
      choices,
      chosen(machine) {
        const own = machine && choiceOf(machine);
        if (own !== undefined && choices.some(({ value }) => value === own)) return own;
        return least === undefined ? '' : choiceOf(least);
      },
      nameOf(machine) {
        const role = roleOfMachine(machine);
        return role === undefined ? t('machine.roleGone') : nameOf(role);
      },
    },
    scopesOf: (machine) =>
      (roleOfMachine(machine)?.permissions ?? [])
        .filter((each) => held.includes(each) && !FOR_PEOPLE.has(each))
        .map((name) => ({ name, about: aboutScope(name) })),
    needsNoScope: false,
    save: ({ role, ...wanted }, signal) =>
      api.machine.save.mutate({ ...wanted, ...roleOf(role) }, { signal }),
  };
}
