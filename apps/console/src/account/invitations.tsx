import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { More } from '@gatehouse/ui/list/more';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Gate, type GateState } from '@gatehouse/ui/parts/gate';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { Asked } from '@gatehouse/ui/screen/asked';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey, type Invitation } from './account-page.js';
import { RevokeDialog } from './revoke-dialog.js';
import { PERSON_ACTIONS, PERSON_ROW } from './row-look.js';
import { t } from './words.js';

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
    <Sheet
      title={t(isAll ? 'invitations.all' : 'invitations.pending')}
      aside={
        <RowAction onClick={() => setAll(!isAll)}>
          {t(isAll ? 'invitations.showPending' : 'invitations.showAll')}
        </RowAction>
      }
    >
      <Asked answer={list} isPart>
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
      </Asked>
    </Sheet>
  );
}

const GATES: Readonly<Record<Invitation['state'], GateState>> = {
  accepted: 'open',
  pending: 'ajar',
  declined: 'shut',
  revoked: 'shut',
  expired: 'shut',
  void: 'shut',
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
function standingOf({ state, delivery, expiresAt, invitedBy }: Invitation): string {
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
  const sending = useSending();
  const [isRevoking, setRevoking] = useState(false);
  const { id: invitationId, actions, email, role, state, delivery } = invitation;
  const gate = state === 'pending' && delivery === 'failed' ? 'shut' : GATES[state];
  return (
    <li className={PERSON_ROW}>
      <span className="pt-0.5">
        <Gate state={gate} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <bdi className="font-semibold">{shownAddress(email)}</bdi>
        <p className="text-quiet">{standingOf(invitation)}</p>
      </div>
      <bdi className="col-start-2 text-quiet wrap-anywhere rows:col-start-3">{role}</bdi>
      {actions.length === 0 ? null : (
        <div className={PERSON_ACTIONS}>
          {actions.includes('resend') ? (
            <RowAction
              about={shownAddress(email)}
              isBusy={sending.isBusy}
              onClick={() =>
                sending.send(async (signal) => {
                  const { api } = gatehouse.withAccount(accountId);
                  await proven(() => api.invitation.resend.mutate({ invitationId }, { signal }));
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
      {sending.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={sending.failure} />
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
