import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { choiceOf, type NamedMember, nameOf, type RoleRules, roleOf, type TeamMember } from './team-roles.js';

/** Gives a member another role, or approves one who came back. */
export function RoleDialog({
  member,
  roles,
  isApproval = false,
  onNotice,
  onClose,
}: {
  readonly member: NamedMember & Pick<TeamMember, 'accountRole' | 'customRoleId'>;
  readonly roles: RoleRules;
  /** Whether the member has no access until they are given a role. */
  readonly isApproval?: boolean;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { api, key } = usePlace();
  const me = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('role');
  const name = nameOf(member);
  const own = choiceOf({ customRoleId: member.customRoleId, roleType: member.accountRole });
  const isSelf = member.id === me.member.id;
  return (
    <Dialog title={t(isApproval ? 'away.approveTitle' : 'role.title', { name })} onClose={onClose}>
      <p className="text-lead text-quiet">{t(isSelf ? 'role.leadSelf' : 'role.lead')}</p>
      <Form
        mutation={mutation}
        onSend={async ({ role = '' }, signal) => {
          const change = { memberId: member.id, ...roleOf(role) };
          const { data } = await provingAddress(me.member.email, () =>
            withReauth(() => api.membership.changeRole.mutate(change, { signal })),
          );
          await queries.invalidateQueries({ queryKey: key });
          if (isSelf) await queries.invalidateQueries({ queryKey: ['me'] });
          onNotice(t('role.done', { name, role: data.role }));
          onClose();
        }}
      >
        <SelectField
          name="role"
          label={t('role.field')}
          choices={roles.choices}
          defaultValue={roles.choices.some(({ value }) => value === own) ? own : roles.least}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t(isApproval ? 'away.approveSubmit' : 'role.submit')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Removes a member from the account. */
export function RemoveDialog({
  member,
  effect,
  onNotice,
  onClose,
}: {
  readonly member: NamedMember;
  /** What the removal does, for a member who has no access now. */
  readonly effect?: string;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { api, key, accountName } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const name = nameOf(member);
  return (
    <Confirm
      title={t('remove.title', { name })}
      effect={effect ?? t('remove.effect', { account: accountName })}
      action={t('remove.submit')}
      typed={{ label: t('remove.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await api.membership.remove.mutate({ memberId: member.id }, { signal });
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: key });
        onNotice(t('remove.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
