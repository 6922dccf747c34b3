import { ROLES } from '@gatehouse/client-sdk/admin';
import { SelectField } from '@gatehouse/ui/form/select-field';
import type { ReactElement } from 'react';
import { t } from '../words.js';

/** The base roles that staff have. */
const STAFF_ROLES = [
  [ROLES.admin, 'role.admin'],
  [ROLES.accountManager, 'role.accountManager'],
  [ROLES.manager, 'role.manager'],
  [ROLES.contributor, 'role.contributor'],
  [ROLES.designer, 'role.designer'],
] as const;

/** The base role of a member of staff. One that is not of staff usually stays as it is. */
export function StaffRoleField({
  role,
  label,
}: {
  readonly role: number;
  readonly label?: string;
}): ReactElement {
  const isUsual = STAFF_ROLES.some(([number]) => number === role);
  return (
    <SelectField
      name="roleType"
      label={t('fact.role')}
      hint={t('staff.roleHint')}
      defaultValue={String(role)}
      choices={[
        ...STAFF_ROLES.map(([number, word]) => ({ value: String(number), label: t(word) })),
        ...(isUsual ? [] : [{ value: String(role), label: label ?? String(role) }]),
      ]}
    />
  );
}
