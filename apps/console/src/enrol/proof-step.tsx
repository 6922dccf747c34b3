import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { CodeField, TextField } from '@gatehouse/ui/form/text-field';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import { t } from './words.js';

/** What the service requires with the first factor of staff. */
export type Proof = { readonly emailCode: string } | { readonly ticket: string };

/**
 * Asks for proof that a session begun with only a password belongs to the right person. The service checks it together with the
 * factor.
 */
export function ProofStep({
  email,
  refused,
  onProof,
  leave,
}: {
  readonly email: string | null;
  /** The one that the service refused. */
  readonly refused: Proof | undefined;
  readonly onProof: (proof: Proof) => void;
  readonly leave: ReactNode;
}): ReactElement {
  const [isTicket, setTicket] = useState(email === null || (refused !== undefined && 'ticket' in refused));
  return (
    <AuthLayout
      title={t('enrol.proofTitle')}
      lead={isTicket ? t('enrol.ticketLead') : t('enrol.proofLead', { email: email ?? '' })}
      takesFocus={refused !== undefined}
    >
      {refused === undefined ? null : <Banner tone="error">{t('enrol.proofRefused')}</Banner>}
      {isTicket ? (
        <ByTicket onProof={onProof} />
      ) : (
        <ByEmail
          email={email ?? ''}
          hasCode={refused !== undefined && 'emailCode' in refused}
          onProof={onProof}
        />
      )}
      {email === null ? null : (
        <Button isWide onClick={() => setTicket(!isTicket)}>
          {t(isTicket ? 'enrol.useEmail' : 'enrol.useTicket')}
        </Button>
      )}
      {leave}
    </AuthLayout>
  );
}

function ByTicket({ onProof }: { readonly onProof: (proof: Proof) => void }): ReactElement {
  const mutation = useMutationState();
  return (
    <Form
      mutation={mutation}
      onSend={({ ticket = '' }) => {
        onProof({ ticket: ticket.trim() });
        return Promise.resolve();
      }}
    >
      <TextField
        name="ticket"
        label={t('enrol.ticket')}
        isCode
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div>
        <Button type="submit" kind="primary">
          {t('enrol.continue')}
        </Button>
      </div>
    </Form>
  );
}

function ByEmail({
  email,
  hasCode,
  onProof,
}: {
  readonly email: string;
  /** Whether there is a mail with a code already. */
  readonly hasCode: boolean;
  readonly onProof: (proof: Proof) => void;
}): ReactElement {
  const mailing = useMutationState();
  const form = useMutationState('emailCode');
  const [times, setTimes] = useState(0);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (times > 0) field.current?.querySelector('input')?.focus();
  }, [times]);
  const failure = mailing.failure === undefined ? null : <FailureNote failure={mailing.failure} />;
  const send = () =>
    mailing.send(async (signal) => {
      await gatehouse.api.verification.sendEmail.mutate(undefined, { signal });
      setTimes(times + 1);
    });
  if (times === 0 && !hasCode) {
    return (
      <>
        {failure}
        <Button kind="primary" isWide isBusy={mailing.isBusy} onClick={send}>
          {t('enrol.sendCode')}
        </Button>
      </>
    );
  }
  return (
    <>
      {times === 0 ? null : (
        <Banner key={times} tone="ok">
          {t('enrol.codeSent', { email })}
        </Banner>
      )}
      <Form
        mutation={form}
        onSend={({ emailCode = '' }) => {
          onProof({ emailCode: emailCode.trim() });
          return Promise.resolve();
        }}
      >
        <div ref={field}>
          <CodeField name="emailCode" label={t('enrol.emailCode')} digits={8} isSentWhenFull />
        </div>
        <div>
          <Button type="submit" kind="primary">
            {t('enrol.continue')}
          </Button>
        </div>
      </Form>
      {failure}
      <Button isWide isBusy={mailing.isBusy} onClick={send}>
        {t('enrol.sendAgain')}
      </Button>
    </>
  );
}
