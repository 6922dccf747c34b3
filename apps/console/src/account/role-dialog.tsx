import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/roles.js';
import { shownName } from '../session/shown-name.js';
import { type AccountPage, accountKey, type PlacedMember } from './account-page.js';
import { givenRoles } from './given-roles.js';
import { t } from './words.js';

/** Gives a member another role in an account. */
export function RoleDialog({
  page,
  member,
  onNotice,
  onClose,
}: {
  readonly page: AccountPage;
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('role');
  const name = shownName(member);
  const { id: accountId, name: account } = page.account;
  const choices = givenRoles(page);
  const own = String(member.accountRole);
  return (
    <Confirm
      title={t('role.title', { name })}
      effect={t('role.effect', { account })}
      action={t('role.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ role = '' }, signal) => {
        const roleType = Number(role);
        const place = { accountId, memberId: member.id, roleType };
        await withReauth(() => gatehouse.api.membership.save.mutate(place, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        void queries.invalidateQueries({ queryKey: ['member', member.id] });
        onNotice(t('role.done', { name, role: roleWords(roleType) }));
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField
        name="role"
        label={t('role.field')}
        choices={choices}
        defaultValue={choices.some(({ value }) => value === own) ? own : String(ROLES.userMember)}
      />
    </Confirm>
  );
}
