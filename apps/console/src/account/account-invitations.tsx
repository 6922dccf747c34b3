import { ROLES } from '@gatehouse/client-sdk/admin';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { InviteCard, Invitations as List } from '@gatehouse/ui/team/invitations';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey, type Invitation } from './account-page.js';
import { givenRoles, roleIn } from './person-row.js';

interface OfAccount {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}

/** The invitations of an account. */
export function Invitations({ page, onNotice }: OfAccount): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  const { invitation: api } = gatehouse.withAccount(id).api;
  return (
    <List<Invitation>
      queryKey={[...accountKey(id), 'invitations']}
      ask={(at, signal) => api.list.query(at, { signal })}
      actionsOf={({ actions }) => actions}
      onResend={async ({ id: invitationId }, signal) => {
        await withReauth(() => api.resend.mutate({ invitationId }, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(id) });
      }}
      onRevoke={async ({ id: invitationId }, signal) => {
        await api.revoke.mutate({ invitationId }, { signal });
        await queries.invalidateQueries({ queryKey: accountKey(id) });
      }}
      onNotice={onNotice}
    />
  );
}

/** Invites to an account. */
export function Invite({
  page,
  onNotice,
  onClose,
}: OfAccount & { readonly onClose: () => void }): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  return (
    <InviteCard
      choices={givenRoles(page)}
      defaultRole={String(ROLES.userMember)}
      onInvite={async (email, role, signal) => {
        const { api } = gatehouse.withAccount(id);
        const wanted = { email, ...roleIn(role) };
        const { data } = await withReauth(() => api.invitation.create.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(id) });
        return data;
      }}
      onNotice={onNotice}
      onClose={onClose}
    />
  );
}
