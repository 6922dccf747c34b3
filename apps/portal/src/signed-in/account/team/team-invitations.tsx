import type { MainOutputs } from '@gatehouse/client-sdk';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { InviteCard, Invitations as List } from '@gatehouse/ui/team/invitations';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { type RoleRules, roleOf } from './team-roles.js';

type Invitation = MainOutputs['invitation']['list']['data'][number];

const OPEN: readonly Invitation['state'][] = ['pending', 'expired', 'void'];

/** The invitations of the account. */
export function Invitations({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
  const queries = useQueryClient();
  const queryKey = [...key, 'invitations'];
  return (
    <List<Invitation>
      queryKey={queryKey}
      ask={(page, signal) => api.invitation.list.query(page, { signal })}
      actionsOf={({ state }) => (OPEN.includes(state) ? ['resend', 'revoke'] : [])}
      onResend={async ({ id: invitationId }, signal) => {
        await provingAddress(member.email, () =>
          withReauth(() => api.invitation.resend.mutate({ invitationId }, { signal })),
        );
        await queries.invalidateQueries({ queryKey });
      }}
      onRevoke={async ({ id: invitationId }, signal) => {
        await api.invitation.revoke.mutate({ invitationId }, { signal });
        await queries.invalidateQueries({ queryKey });
      }}
      onNotice={onNotice}
    />
  );
}

/** Invites to the account. */
export function Invite({
  roles,
  onNotice,
}: {
  readonly roles: RoleRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
  const queries = useQueryClient();
  return (
    <InviteCard
      choices={roles.choices}
      defaultRole={roles.least}
      onInvite={async (email, role, signal) => {
        const wanted = { email, ...roleOf(role) };
        const { data } = await provingAddress(member.email, () =>
          withReauth(() => api.invitation.create.mutate(wanted, { signal })),
        );
        await queries.invalidateQueries({ queryKey: [...key, 'invitations'] });
        return data;
      }}
      onNotice={onNotice}
    />
  );
}
