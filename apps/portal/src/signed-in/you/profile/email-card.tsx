import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../../../client.js';
import { meQuery, useMe } from '../../session/me.js';
import { t } from '../words.js';

interface Noticing {
  readonly onNotice: (notice: string) => void;
}

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold">{text}</bdi>;

/** The member's address, and a pending change of it. */
export function EmailCard({ onNotice }: Noticing): ReactElement {
  const { member } = useMe();
  const { email, emailVerified, pendingEmail } = member;
  return (
    <Card title={t('email.title')}>
      <div className="grid items-start gap-x-8 gap-y-5 p-3 wide:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <div className="flex items-start gap-3">
            {emailVerified ? null : (
              <span className="pt-0.5">
                <StatusIcon tone="pending" />
              </span>
            )}
            <div className="min-w-0">
              {email === null ? (
                <p>{t('email.none')}</p>
              ) : (
                <bdi className="font-semibold">{shownAddress(email)}</bdi>
              )}
              {email === null ? null : (
                <p className="text-quiet">{t(emailVerified ? 'email.confirmed' : 'email.unconfirmed')}</p>
              )}
            </div>
          </div>
          {pendingEmail === null ? null : <Pending to={pendingEmail} onNotice={onNotice} />}
          {email !== null && !emailVerified && pendingEmail === null ? (
            <ConfirmAgain email={email} onNotice={onNotice} />
          ) : null}
        </div>
        <Change key={pendingEmail} onNotice={onNotice} />
      </div>
    </Card>
  );
}

const LOOKS_WHILE_PENDING_MS = 10_000;

/** The mailboxes that have to agree, and those that have. */
function Pending({ to, onNotice }: Noticing & { readonly to: string }): ReactElement {
  const { member } = useMe();
  // The answers are given elsewhere: in another tab, or on another device.
  useQuery({ ...meQuery, refetchInterval: LOOKS_WHILE_PENDING_MS });
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { email, emailVerified, awaits } = member;
  const ends = [
    ...(email !== null && emailVerified ? [{ address: email, hasAgreed: !awaits.includes('old') }] : []),
    { address: to, hasAgreed: !awaits.includes('new') },
  ];
  return (
    <div className="flex flex-col gap-4 border-s-4 border-lantern ps-3">
      <p>{rich(t('pending.lead'), { email: strong(to) })}</p>
      <ul className="flex flex-col gap-2">
        {ends.map(({ address, hasAgreed }) => (
          <li key={address} className="flex items-start gap-3">
            <span className="pt-0.5">
              <StatusIcon {...(hasAgreed ? { tone: 'ok' } : { tone: 'pending', shape: 'clock' })} />
            </span>
            <span className="min-w-0">
              {rich(t(hasAgreed ? 'pending.agreed' : 'pending.asked'), { email: strong(address) })}
            </span>
          </li>
        ))}
      </ul>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap gap-3">
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              await gatehouse.api.email.resend.mutate(undefined, { signal });
              onNotice(t('pending.sent'));
            })
          }
        >
          {t('pending.again')}
        </Button>
        {email === null ? null : (
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await withReauth(() => gatehouse.api.email.change.mutate({ email }, { signal }));
                await queries.invalidateQueries({ queryKey: meQuery.queryKey });
                onNotice(t('pending.canceled', { email }));
              })
            }
          >
            {t('pending.cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}

function ConfirmAgain({ email, onNotice }: Noticing & { readonly email: string }): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-3">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div>
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              const { alreadyConfirmed } = await gatehouse.api.registration.resendConfirmation.mutate(
                undefined,
                { signal },
              );
              if (alreadyConfirmed) await queries.invalidateQueries({ queryKey: meQuery.queryKey });
              else onNotice(t('email.mailed', { email }));
            })
          }
        >
          {t('email.again')}
        </Button>
      </div>
    </div>
  );
}

function Change({ onNotice }: Noticing): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('email');
  const hint = member.email !== null && member.emailVerified ? 'email.hintBoth' : 'email.hintNew';
  return (
    <Form
      mutation={mutation}
      onSend={async (fields, signal) => {
        const email = (fields['email'] ?? '').trim();
        const { data } = await withReauth(() => gatehouse.api.email.change.mutate({ email }, { signal }));
        await queries.invalidateQueries({ queryKey: meQuery.queryKey });
        onNotice(
          data.pendingEmail === null
            ? t('pending.canceled', { email })
            : t('email.asked', { email: data.pendingEmail }),
        );
      }}
    >
      <AddressField
        name="email"
        label={t(member.email === null ? 'email.first' : 'email.new')}
        hint={t(hint)}
        autoComplete="email"
        required
      />
      <div>
        <Button type="submit" isBusy={mutation.isBusy}>
          {t('email.submit')}
        </Button>
      </div>
    </Form>
  );
}
