import { ROLES } from '@gatehouse/client-sdk/admin';
import type { Choice } from '@gatehouse/ui/form/select-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { InviteCard, Invitations as List } from '@gatehouse/ui/team/invitations';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey, type Invitation } from './account-page.js';
import { givenRoles } from './person-row.js';

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

const CUSTOM = 'custom ';

/** The custom roles whose rank and permissions the staff may give, as choices. */
function customRoles({ customRoles: roles, givablePermissions: given }: AccountPage): readonly Choice[] {
  return roles
    .filter(
      ({ isChangeable, permissions }) => isChangeable && permissions.every((each) => given.includes(each)),
    )
    .map(({ id, name }) => ({ value: `${CUSTOM}${id}`, label: name }));
}

/** A choice in the form that calls take. */
function roleOf(choice: string): { roleType: number } | { customRoleId: number } {
  return choice.startsWith(CUSTOM)
    ? { customRoleId: Number(choice.slice(CUSTOM.length)) }
    : { roleType: Number(choice) };
}

/** Invites to an account. */
export function Invite({ page, onNotice }: OfAccount): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  return (
    <InviteCard
      choices={[...givenRoles(page), ...customRoles(page)]}
      defaultRole={String(ROLES.userMember)}
      onInvite={async (email, role, signal) => {
        const { api } = gatehouse.withAccount(id);
        const wanted = { email, ...roleOf(role) };
        const { data } = await withReauth(() => api.invitation.create.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(id) });
        return data;
      }}
      onNotice={onNotice}
    />
  );
}
