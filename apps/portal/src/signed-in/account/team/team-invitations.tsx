import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { type RoleRules, roleOf } from './team-roles.js';

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
      <QueryView answer={list} isPart>
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
        <p className="text-quiet wrap-anywhere">{statusOf(invitation)}</p>
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

/** Invites one address after the other. */
export function InviteCard({
  roles,
  onNotice,
}: {
  readonly roles: RoleRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('email', 'role');
  const [sent, setSent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [sent]);

  return (
    <Card title={t('invite.title')}>
      <div ref={place} className="p-3">
        <Form
          mutation={mutation}
          onSend={async ({ email = '', role = '' }, signal) => {
            const wanted = { email: email.trim(), ...roleOf(role) };
            const { data } = await provingAddress(member.email, () =>
              withReauth(() => api.invitation.create.mutate(wanted, { signal })),
            );
            const isHeld = data.delivery === 'held';
            onNotice(t(isHeld ? 'invite.held' : 'invite.sent', { email: data.email }));
            setSent(sent + 1);
            await queries.invalidateQueries({ queryKey: [...key, 'invitations'] });
          }}
        >
          <div className="grid gap-5 rows:grid-cols-2">
            <AddressField key={sent} name="email" label={t('invite.email')} autoComplete="off" required />
            <SelectField
              name="role"
              label={t('invite.role')}
              choices={roles.choices}
              defaultValue={roles.least}
            />
          </div>
          <div>
            <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
              {t('invite.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
