import type { MainOutputs } from '@gatehouse/client-sdk';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { InviteCard, Invitations as List } from '@gatehouse/ui/team/invitations';
import type { Draft } from '@gatehouse/ui/team/invite-many';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { keep, takeKept } from '../../../tab-storage.js';
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

/** The invitations that were being sent when the sender had to prove their address; read once, in the account they were for. */
export function takeDraft(accountId: number): Draft | undefined {
  const [id, role = '', ...emails] = takeKept('invitees')?.split('\n') ?? [];
  return id === String(accountId) ? { role, emails: emails.join('\n') } : undefined;
}

/** Invites to the account. */
export function Invite({
  roles,
  draft,
  onNotice,
  onClose,
}: {
  readonly roles: RoleRules;
  readonly draft: Draft | undefined;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { accountId, api, key } = usePlace();
  const { member } = useMe();
  const queries = useQueryClient();
  const isGiven = roles.choices.some(({ value }) => value === draft?.role);
  return (
    <InviteCard
      choices={roles.choices}
      defaultRole={isGiven ? (draft?.role ?? roles.least) : roles.least}
      draft={draft}
      onKeep={(sending) =>
        keep(
          'invitees',
          sending === undefined ? undefined : [accountId, sending.role, sending.emails].join('\n'),
        )
      }
      onInvite={async (email, role, signal) => {
        const wanted = { email, ...roleOf(role) };
        const { data } = await provingAddress(member.email, () =>
          withReauth(() => api.invitation.create.mutate(wanted, { signal })),
        );
        await queries.invalidateQueries({ queryKey: [...key, 'invitations'] });
        return data;
      }}
      onNotice={onNotice}
      onClose={onClose}
    />
  );
}
