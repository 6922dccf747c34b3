import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey, type Invitation } from './account-page.js';
import { PERSON_ACTIONS, PERSON_ROW } from './person-row.js';
import { t } from './words.js';

/** Takes an invitation back. Repeating it changes nothing. */
function RevokeDialog({
  accountId,
  invitation: { id: invitationId, email },
  onNotice,
  onClose,
}: {
  readonly accountId: number;
  readonly invitation: Invitation;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('revoke.title', { email })}
      effect={t('revoke.effect')}
      action={t('revoke.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const { api } = gatehouse.withAccount(accountId);
        await api.invitation.revoke.mutate({ invitationId }, { signal });
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        onNotice(t('revoke.done', { email }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The invitations that wait for an answer and, on request, those of before. */
export function Invitations({
  page: {
    account: { id },
  },
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const [isAll, setAll] = useState(false);
  const list = usePages<Invitation>(
    [...accountKey(id), 'invitations', isAll ? 'all' : 'pending'],
    (at, signal) => {
      const { api } = gatehouse.withAccount(id);
      return api.invitation.list.query(isAll ? at : { ...at, state: 'pending' }, { signal });
    },
  );
  return (
    <Card
      title={t(isAll ? 'invitations.all' : 'invitations.pending')}
      aside={
        <RowAction onClick={() => setAll(!isAll)}>
          {t(isAll ? 'invitations.showPending' : 'invitations.showAll')}
        </RowAction>
      }
    >
      <QueryView answer={list} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? <p className="p-3 text-quiet">{t('invitations.none')}</p> : null}
            <ul>
              {rows.map((invitation) => (
                <Row key={invitation.id} accountId={id} invitation={invitation} onNotice={onNotice} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

const TONES: Readonly<Record<Invitation['state'], StatusTone>> = {
  accepted: 'ok',
  pending: 'pending',
  declined: 'error',
  revoked: 'error',
  expired: 'error',
  void: 'error',
};

const STATES = {
  accepted: 'invitation.accepted',
  pending: 'invitation.pending',
  declined: 'invitation.declined',
  revoked: 'invitation.revoked',
  expired: 'invitation.expired',
  void: 'invitation.void',
} as const;

/** What became of an invitation, and of its mail where that matters. */
function statusOf({ state, delivery, expiresAt, invitedBy }: Invitation): string {
  if (state === 'pending' && delivery === 'failed') return t('invitation.failed');
  if (state === 'pending' && delivery === 'held') return t('invitation.held');
  return t(STATES[state], { day: shownDay(expiresAt), name: invitedBy.name });
}

function Row({
  accountId,
  invitation,
  onNotice,
}: {
  readonly accountId: number;
  readonly invitation: Invitation;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [isRevoking, setRevoking] = useState(false);
  const { id: invitationId, actions, email, role, state, delivery } = invitation;
  const tone = state === 'pending' && delivery === 'failed' ? 'error' : TONES[state];
  return (
    <li className={PERSON_ROW}>
      <span className="pt-0.5">
        <StatusIcon tone={tone} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <bdi className="font-semibold">{shownAddress(email)}</bdi>
        <p className="text-quiet">{statusOf(invitation)}</p>
      </div>
      <bdi className="col-start-2 text-quiet wrap-anywhere rows:col-start-3">{role}</bdi>
      {actions.length === 0 ? null : (
        <div className={PERSON_ACTIONS}>
          {actions.includes('resend') ? (
            <RowAction
              about={shownAddress(email)}
              isBusy={mutation.isBusy}
              onClick={() =>
                mutation.send(async (signal) => {
                  const { api } = gatehouse.withAccount(accountId);
                  await withReauth(() => api.invitation.resend.mutate({ invitationId }, { signal }));
                  await queries.invalidateQueries({ queryKey: accountKey(accountId) });
                  onNotice(t('invite.sent', { email }));
                })
              }
            >
              {t('invitation.again')}
            </RowAction>
          ) : null}
          {actions.includes('revoke') ? (
            <RowAction about={shownAddress(email)} isGrave onClick={() => setRevoking(true)}>
              {t('revoke.open')}
            </RowAction>
          ) : null}
        </div>
      )}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {isRevoking ? (
        <RevokeDialog
          accountId={accountId}
          invitation={invitation}
          onNotice={onNotice}
          onClose={() => setRevoking(false)}
        />
      ) : null}
    </li>
  );
}
