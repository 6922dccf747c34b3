import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { SecondStep } from '@gatehouse/ui/proof/second-step';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { keepingNext, nextScreen, SCREENS } from '../links.js';
import { AuthLayout } from './auth-layout.js';
import { forgetStep, type KeptStep, keptStep } from './begin-session.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

function StepUp(): ReactElement {
  const [step] = useState(keptStep);
  return step === undefined ? <NoStep /> : <Step step={step} />;
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

/** Takes the step, and continues to where the address says. */
async function take(
  step: KeptStep,
  proof: Parameters<typeof gatehouse.continueSignIn>[1],
  signal: AbortSignal,
) {
  await gatehouse.continueSignIn(step.challenge, proof, { signal });
  forgetStep();
  await leaveTo(nextScreen());
}

function Step({ step }: { readonly step: KeptStep }): ReactElement {
  const { challenge, methods, emailWithheldUntil } = step;
  const { signIn } = gatehouse.api;
  return (
    <SecondStep
      methods={methods}
      layout={AuthLayout}
      submit={t('signIn.submit')}
      note={emailWithheldUntil === undefined ? null : <EmailWithheld until={emailWithheldUntil} />}
      calls={{
        prove: (proof, signal) => take(step, proof, signal),
        sendEmail: (signal) => signIn.stepEmail.mutate({ challenge }, { signal }),
        passkey: {
          ask: async (signal) => (await signIn.stepOptions.mutate({ challenge }, { signal })).data,
          prove: (given, signal) => take(step, given, signal),
        },
      }}
    >
      <p>
        <Link href={SCREENS.recovery}>{t('step.lost')}</Link>
      </p>
      <p>
        <Link href={keepingNext(SCREENS.signIn)}>{t('step.cancel')}</Link>
      </p>
    </SecondStep>
  );
}

/** Why no mailed code is offered after a reset, and what a member without another step can do. */
function EmailWithheld({ until }: { readonly until: string }): ReactElement {
  return (
    <Banner tone="pending">
      {rich(t('step.emailWithheld', { until: shownTime(until) }), {
        recovery: (inner) => <Link href={SCREENS.recovery}>{inner}</Link>,
      })}
    </Banner>
  );
}

void mountScreen(StepUp);
