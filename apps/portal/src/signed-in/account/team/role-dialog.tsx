import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMe } from '../../session/me.js';
import { provingAddress } from '../../session/proving-address.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { choiceOf, type RoleRules, roleOf } from './roles.js';
import { type NamedMember, nameOf, type TeamMember } from './team-member.js';

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
