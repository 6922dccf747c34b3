import { isGatehouseError, ROLES } from '@gatehouse/client-sdk';
import { useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import {
  RemoveDialog as Remove,
  RoleDialog as Role,
  TransferDialog as Transfer,
} from '@gatehouse/ui/team/member-dialogs';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { choiceOf, type NamedMember, type RoleRules, roleOf, type TeamMember } from './team-roles.js';

interface Closes {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Gives a member another role, or approves one who came back. */
export function RoleDialog({
  member,
  roles: { choices, least },
  isApproval = false,
  ...closes
}: Closes & {
  readonly member: NamedMember & Pick<TeamMember, 'accountRole' | 'customRoleId'>;
  readonly roles: RoleRules;
  /** Whether the member has no access until they are given a role. */
  readonly isApproval?: boolean;
}): ReactElement {
  const { api, key } = usePlace();
  const me = useMe();
  const queries = useQueryClient();
  const name = shownName(member);
  const roleType = member.accountRole === ROLES.owner ? ROLES.admin : member.accountRole;
  const own = choiceOf({ customRoleId: member.customRoleId, roleType });
  const isSelf = member.id === me.member.id;
  return (
    <Role
      name={name}
      effect={t(isSelf ? 'role.leadSelf' : 'role.lead')}
      {...(isApproval ? { title: t('away.approveTitle', { name }), action: t('away.approveSubmit') } : {})}
      choices={choices}
      defaultRole={choices.some(({ value }) => value === own) ? own : least}
      onSave={async (role, signal) => {
        const change = { memberId: member.id, ...roleOf(role) };
        const { data } = await provingAddress(me.member.email, () =>
          withReauth(() => api.membership.changeRole.mutate(change, { signal })),
        );
        await queries.invalidateQueries({ queryKey: key });
        if (isSelf) await queries.invalidateQueries({ queryKey: ['me'] });
        return roleName(data.role);
      }}
      {...closes}
    />
  );
}

/** Removes a member from the account. */
export function RemoveDialog({
  member,
  effect,
  ...closes
}: Closes & {
  readonly member: NamedMember;
  /** The effect of removing a member who has no access now. */
  readonly effect?: string;
}): ReactElement {
  const { api, key, accountName } = usePlace();
  const queries = useQueryClient();
  const once = useOnce();
  return (
    <Remove
      name={shownName(member)}
      effect={effect ?? t('remove.effect', { account: accountName })}
      isTyped
      onRemove={async (signal) => {
        await once(
          async () => {
            await api.membership.remove.mutate({ memberId: member.id }, { signal });
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: key });
      }}
      {...closes}
    />
  );
}

/** Makes another member the primary owner. */
export function TransferDialog({
  member,
  ...closes
}: Closes & { readonly member: TeamMember }): ReactElement {
  const { api, key, accountName } = usePlace();
  const queries = useQueryClient();
  const once = useOnce();
  const name = shownName(member);
  return (
    <Transfer
      name={name}
      account={accountName}
      effect={t('transfer.effect', { name })}
      isTyped
      onTransfer={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.account.transferOwnership.mutate({ memberId: member.id }, { signal }));
          },
          async () =>
            (await api.member.detail.query({ userId: member.id }, { signal })).data.isPrimaryOwner === true,
        );
        await Promise.all([
          queries.invalidateQueries({ queryKey: key }),
          queries.invalidateQueries({ queryKey: ['you'] }),
        ]);
      }}
      {...closes}
    />
  );
}
