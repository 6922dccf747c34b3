import { getPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { CodeField } from '@gatehouse/ui/form/text-field';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { keepingNext, nextScreen, SCREENS } from '../links.js';
import { AuthLayout } from './auth-layout.js';
import { forgetStep, type KeptStep, keptStep } from './begin-session.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const WAYS = ['passkey', 'totp', 'email', 'backupCode'] as const;
type Way = (typeof WAYS)[number];

function StepUp(): ReactElement {
  const [step] = useState(keptStep);
  if (step === undefined) return <NoStep />;
  const ways = WAYS.filter((way) => step.methods.includes(way));
  return <Step step={step} ways={ways} />;
}

function NoStep(): ReactElement {
  return (
    <AuthLayout title={t('step.gone')} lead={t('step.goneLead')} tone="error" takesFocus>
      <p>
        <Link href={keepingNext(SCREENS.signIn)}>{t('step.restart')}</Link>
      </p>
    </AuthLayout>
  );
}

function Step({ step, ways }: { readonly step: KeptStep; readonly ways: readonly Way[] }): ReactElement {
  const [way, setWay] = useState(ways[0]);
  const others = ways.filter((each) => each !== way);
  return (
    <AuthLayout
      title={t('step.title')}
      lead={t(way === undefined ? 'step.noneLead' : LEADS[way])}
      tone="pending"
      takesFocus
    >
      {step.emailWithheldUntil === undefined ? null : <EmailWithheld until={step.emailWithheldUntil} />}
      {way === undefined ? null : (
        <div key={way} className="flex flex-col gap-5">
          {way === 'passkey' ? <ByPasskey step={step} /> : <ByCode step={step} way={way} />}
        </div>
      )}
      {others.length === 0 ? null : (
        <div className="flex flex-col items-start gap-2">
          <p className="text-quiet">{t('step.others')}</p>
          {others.map((each) => (
            <Button key={each} isWide onClick={() => setWay(each)}>
              {t(NAMES[each])}
            </Button>
          ))}
        </div>
      )}
      <p>
        <Link href={SCREENS.recovery}>{t('step.lost')}</Link>
      </p>
      <p>
        <Link href={keepingNext(SCREENS.signIn)}>{t('step.cancel')}</Link>
      </p>
    </AuthLayout>
  );
}

/** Why no mailed code is offered after a reset, and what is left to a member who has no other step. */
function EmailWithheld({ until }: { readonly until: string }): ReactElement {
  return (
    <Banner tone="pending">
      {rich(t('step.emailWithheld', { until: shownTime(until) }), {
        recovery: (inner) => <Link href={SCREENS.recovery}>{inner}</Link>,
      })}
    </Banner>
  );
}

const LEADS = {
  passkey: 'step.passkeyLead',
  totp: 'step.totpLead',
  email: 'step.emailLead',
  backupCode: 'step.backupLead',
} as const;

const NAMES = {
  passkey: 'step.usePasskey',
  totp: 'step.useTotp',
  email: 'step.useEmail',
  backupCode: 'step.useBackup',
} as const;

type Proof = { readonly code: string } | { readonly backupCode: string } | { readonly emailCode: string };

/** Takes the step; where the sign-in is over, the reader is sent to begin anew. */
async function take(step: KeptStep, proof: Proof, signal: AbortSignal): Promise<void> {
  await gatehouse.continueSignIn(step.challenge, proof, { signal });
  forgetStep();
  await leaveTo(nextScreen());
}

function ByCode({
  step,
  way,
}: {
  readonly step: KeptStep;
  readonly way: Exclude<Way, 'passkey'>;
}): ReactElement {
  const mutation = useMutationState('code');
  const mailing = useMutationState();
  const [isMailed, setMailed] = useState(false);
  const proofOf = (code: string): Proof =>
    way === 'totp' ? { code } : way === 'email' ? { emailCode: code } : { backupCode: code };

  if (way === 'email' && !isMailed) {
    return (
      <>
        {mailing.failure === undefined ? null : <FailureNote failure={mailing.failure} />}
        <Button
          kind="primary"
          isWide
          isBusy={mailing.isBusy}
          onClick={() =>
            mailing.send(async (signal) => {
              await gatehouse.api.signIn.stepEmail.mutate({ challenge: step.challenge }, { signal });
              setMailed(true);
            })
          }
        >
          {t('step.sendMail')}
        </Button>
      </>
    );
  }
  return (
    <Form mutation={mutation} onSend={({ code = '' }, signal) => take(step, proofOf(code.trim()), signal)}>
      {way === 'email' ? <Banner tone="ok">{t('step.mailed')}</Banner> : null}
      <CodeField
        name="code"
        label={t(way === 'backupCode' ? 'field.backupCode' : 'field.code')}
        {...(way === 'backupCode' ? {} : { digits: way === 'totp' ? 6 : 8 })}
      />
      <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
        {t('signIn.submit')}
      </Button>
    </Form>
  );
}

function ByPasskey({ step }: { readonly step: KeptStep }): ReactElement {
  const mutation = useMutationState();
  return (
    <>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        kind="primary"
        isWide
        isBusy={mutation.isBusy}
        onClick={() => mutation.send((signal) => takeByPasskey(step, signal))}
      >
        {t('step.usePasskey')}
      </Button>
    </>
  );
}

async function takeByPasskey({ challenge }: KeptStep, signal: AbortSignal): Promise<void> {
  const { data } = await gatehouse.api.signIn.stepOptions.mutate({ challenge }, { signal });
  const { flow, options } = data;
  if (flow === undefined || options === undefined) throw new Error('A passkey may not be the step');
  const given = await getPasskey({ flow, options }, { signal });
  await gatehouse.continueSignIn(challenge, given, { signal });
  forgetStep();
  await leaveTo(nextScreen());
}

void mountScreen(StepUp);
