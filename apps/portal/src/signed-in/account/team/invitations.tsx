import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { More } from '@gatehouse/ui/list/more';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/status-icon';
import { Asked } from '@gatehouse/ui/screen/asked';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { provingAddress } from '../../session/proving-address.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';

type Invitation = MainOutputs['invitation']['list']['data'][number];

/** The invitations that wait for an answer and, on request, those of before. */
export function Invitations({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key } = usePlace();
  const [isAll, setAll] = useState(false);
  const list = usePages([...key, 'invitations', isAll ? 'all' : 'pending'], (page, signal) =>
    api.invitation.list.query(isAll ? page : { ...page, state: 'pending' }, { signal }),
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
      <Asked answer={list} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? <p className="p-3 text-quiet">{t('invitations.none')}</p> : null}
            <ul>
              {rows.map((invitation) => (
                <Row key={invitation.id} invitation={invitation} onNotice={onNotice} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </Asked>
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
function standingOf({ state, delivery, expiresAt, invitedBy }: Invitation): string {
  if (state === 'pending' && delivery === 'failed') return t('invitation.failed');
  if (state === 'pending' && delivery === 'held') return t('invitation.held');
  return t(STATES[state], { day: shownDay(expiresAt), name: invitedBy.name });
}

function Row({
  invitation,
  onNotice,
}: {
  readonly invitation: Invitation;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { id, email, role, state, delivery } = invitation;
  const isOpen = state === 'pending' || state === 'expired' || state === 'void';
  const tone = state === 'pending' && delivery === 'failed' ? 'error' : TONES[state];

  const change = (work: (signal: AbortSignal) => Promise<unknown>, done: string): void =>
    mutation.send(async (signal) => {
      await work(signal);
      onNotice(done);
      await queries.invalidateQueries({ queryKey: [...key, 'invitations'] });
    });

  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[1rem_minmax(0,1fr)_10rem_16rem]">
      <span className="pt-0.5">
        <StatusIcon tone={tone} />
      </span>
      <div className="min-w-0">
        <bdi className="font-semibold">{shownAddress(email)}</bdi>
        <p className="text-quiet wrap-anywhere">{standingOf(invitation)}</p>
      </div>
      <bdi className="col-start-2 text-quiet rows:col-start-3">{role}</bdi>
      {isOpen ? (
        <div className="col-start-2 flex flex-wrap gap-x-3 rows:col-start-4 rows:justify-end rows:gap-x-4">
          <RowAction
            about={shownAddress(email)}
            isBusy={mutation.isBusy}
            onClick={() =>
              change(
                (signal) =>
                  provingAddress(member.email, () =>
                    withReauth(() => api.invitation.resend.mutate({ invitationId: id }, { signal })),
                  ),
                t('invite.sent', { email }),
              )
            }
          >
            {t('invitation.again')}
          </RowAction>
          <RowAction
            about={shownAddress(email)}
            isBusy={mutation.isBusy}
            isGrave
            onClick={() =>
              change(
                (signal) => api.invitation.revoke.mutate({ invitationId: id }, { signal }),
                t('invitation.revokedNotice', { email }),
              )
            }
          >
            {t('invitation.revoke')}
          </RowAction>
        </div>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </li>
  );
}
