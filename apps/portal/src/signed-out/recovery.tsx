import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { forgetStep, type KeptStep, keptStep } from './begin-session.js';
import { useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { SupportLink } from './support-link.js';
import { t } from './words.js';

/** Cancels a recovery by the link of a mail. Programs that open links press no button. */
function CancelRecovery({ token }: { readonly token: string }): ReactElement {
  const mutation = useMutationState();
  const once = useOnce();
  const [state, setState] = useState<'asking' | 'done' | 'unsure'>('asking');
  if (state !== 'asking') {
    const isSure = state === 'done';
    return (
      <AuthLayout
        title={t(isSure ? 'recovery.canceled' : 'recovery.unsure')}
        lead={t(isSure ? 'recovery.canceledLead' : 'recovery.unsureLead')}
        tone={isSure ? 'ok' : 'pending'}
        takesFocus
      >
        <div className="flex flex-wrap gap-3">
          <ButtonLink isWide kind="primary" href={SCREENS.forgot}>
            {t('recovery.newPassword')}
          </ButtonLink>
          <ButtonLink isWide href={SCREENS.signIn}>
            {t('signIn.submit')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('recovery.question')} lead={t('recovery.questionLead')} tone="pending">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap gap-3">
        <Button
          isWide
          kind="grave"
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              let next: 'done' | 'unsure' = 'unsure';
              await once(
                async () => {
                  await gatehouse.api.recovery.cancelMine.mutate({ token }, { signal });
                  next = 'done';
                },
                // It has ended, by this call or otherwise.
                (refusal) => isGatehouseError(refusal, 'invalid_token'),
              );
              setState(next);
            })
          }
        >
          {t('recovery.cancel')}
        </Button>
        <ButtonLink isWide href={SCREENS.signIn}>
          {t('recovery.leave')}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

/** The token of the mails about a recovery, which cancels it. */
const token = takeLink().get('token');

const SIGN_IN_FIRST = `${SCREENS.signIn}?${new URLSearchParams({ next: SCREENS.recovery }).toString()}`;

const LINKS = {
  signIn: (inner: string) => <Link href={SCREENS.signIn}>{inner}</Link>,
  support: (inner: string) => <SupportLink>{inner}</SupportLink>,
};

function Recovery(): ReactElement {
  return token === null ? <LostFactor /> : <CancelRecovery token={token} />;
}

function LostFactor(): ReactElement {
  const [step] = useState(keptStep);
  return (
    <AuthLayout title={t('recovery.title')} lead={t('recovery.lead')}>
      <Card title={t('recovery.backup')}>
        <p className="px-3 py-2.5">{rich(t('recovery.backupText'), LINKS)}</p>
      </Card>
      <Card title={t('recovery.ask')}>
        <ol className="flex list-decimal flex-col gap-1.5 py-2.5 ps-8 pe-3">
          <li>{rich(t('recovery.first'), LINKS)}</li>
          <li>{t('recovery.second')}</li>
          <li>{t('recovery.third')}</li>
        </ol>
      </Card>
      <Card title={t('recovery.ticket')}>
        <div className="px-3 py-2.5">{step === undefined ? <AfterSignIn /> : <InPlaceOf step={step} />}</div>
      </Card>
      <p>
        <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
  );
}

/** The ticket in place of the second step of a sign-in that is under way in this tab. */
function InPlaceOf({ step }: { readonly step: KeptStep }): ReactElement {
  return (
    <TicketForm
      onTicket={async (ticket, signal) => {
        await gatehouse.continueSignIn(step.challenge, { ticket }, { signal });
        forgetStep();
      }}
    />
  );
}

/** The ticket after a sign-in without a second step, as where an account requires one. */
function AfterSignIn(): ReactElement | null {
  const me = useLoad(() => gatehouse.api.session.me.query().catch(signedOut));
  const isSignedIn = me.data !== undefined && me.data !== null && me.data.actor === null;
  if (me.data === undefined && me.failure === undefined) return null;
  if (!isSignedIn)
    return (
      <div className="flex flex-col items-start gap-3">
        <p>{t('recovery.signInFirst')}</p>
        <ButtonLink isWide kind="primary" href={SIGN_IN_FIRST}>
          {t('signIn.submit')}
        </ButtonLink>
      </div>
    );
  return (
    <TicketForm
      onTicket={async (ticket, signal) => {
        await gatehouse.api.verification.prove.mutate({ ticket }, { signal });
      }}
    />
  );
}

function signedOut(error: unknown): null {
  if (isGatehouseError(error, 'unauthorized', 'origin_refused')) return null;
  throw error;
}

function TicketForm({
  onTicket,
}: {
  readonly onTicket: (ticket: string, signal: AbortSignal) => Promise<void>;
}): ReactElement {
  const mutation = useMutationState('ticket');
  const once = useOnce();
  return (
    <Form
      mutation={mutation}
      onSend={async ({ ticket = '' }, signal) => {
        try {
          await once(
            () => onTicket(ticket.trim(), signal),
            // Its session may add a factor, and nothing else.
            async () => {
              const me = await gatehouse.api.session.me.query(undefined, { signal }).catch(signedOut);
              return me !== null && me.requires !== null;
            },
          );
          await leaveTo(SCREENS.security);
        } catch (error) {
          // It is accepted within ten minutes of a sign-in.
          if (!isGatehouseError(error, 'verification_required')) throw error;
          mutation.fail({ message: t('recovery.signInAnew'), issues: [], mayRetry: false });
        }
      }}
    >
      <TextField
        name="ticket"
        label={t('recovery.field')}
        hint={t('recovery.hint')}
        isCode
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
        {t('recovery.submit')}
      </Button>
    </Form>
  );
}

void mountScreen(Recovery);
