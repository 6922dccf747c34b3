import { type AdminInputs, type AdminOutputs, ROLES } from '@gatehouse/client-sdk/admin';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { t } from '../words.js';

export type Colleague = AdminOutputs['personnel']['detail']['data'];

const colleagueKey = (personnelId: number) => ['staff', personnelId] as const;

export function useColleague(personnelId: number) {
  return useQuery({
    queryKey: colleagueKey(personnelId),
    queryFn: async ({ signal }) =>
      (await gatehouse.api.personnel.detail.query({ personnelId }, { signal })).data,
  });
}

/** Changes a colleague, and invalidates the data that was read about them. */
export async function saveColleague(
  queries: QueryClient,
  change: AdminInputs['personnel']['save'] & { readonly personnelId: number },
  signal: AbortSignal,
): Promise<void> {
  await withReauth(() => gatehouse.api.personnel.save.mutate(change, { signal }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['staff'] }),
    queries.invalidateQueries({ queryKey: ['member', change.personnelId] }),
  ]);
}

/** The base roles that staff have. */
const STAFF_ROLES: readonly number[] = [
  ROLES.admin,
  ROLES.accountManager,
  ROLES.manager,
  ROLES.contributor,
  ROLES.designer,
];

/** The base role of a member of staff. A role that is not one for staff stays selected until it is changed. */
export function StaffRoleField({
  role,
  label,
}: {
  readonly role: number;
  readonly label?: string;
}): ReactElement {
  const isUsual = STAFF_ROLES.includes(role);
  return (
    <SelectField
      name="roleType"
      label={t('fact.role')}
      hint={t('staff.roleHint')}
      defaultValue={String(role)}
      choices={[
        ...STAFF_ROLES.map((number) => ({ value: String(number), label: roleWords(number) })),
        ...(isUsual ? [] : [{ value: String(role), label: label ?? String(role) }]),
      ]}
    />
  );
}
