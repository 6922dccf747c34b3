import { isSecondFactorRequired } from '@gatehouse/client-sdk/admin';
import { signInWithPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { AddressField, PasswordField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { DemoLogins } from '@gatehouse/ui/parts/demo-logins';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { SecondStep } from '@gatehouse/ui/proof/second-step';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { demonstration } from '../demonstration.js';
import { enrolPath, isEnrolment, nextPath, PATHS, recoveredPath } from '../links.js';
import { t } from '../words.js';
import { AuthLayout } from './auth-layout.js';
import { ProviderButtons, providerRefusal, takeProviderEnd } from './provider-sign-in.js';
import { RecoveryForm } from './recovery-form.js';

/** A second step that is due. */
export interface Step {
  readonly challenge: string;
  readonly methods: readonly string[];
}

async function take(
  { challenge }: Step,
  proof: Parameters<typeof gatehouse.continueSignIn>[1],
  signal: AbortSignal,
): Promise<void> {
  await gatehouse.continueSignIn(challenge, proof, { signal });
  await leaveTo(nextPath(), { forGood: true });
}

/** Asks for the second factor of a sign-in. */
export function StepScreen({
  step,
  onCancel,
}: {
  readonly step: Step;
  readonly onCancel: () => void;
}): ReactElement {
  const { challenge, methods } = step;
  const [isRecovering, setRecovering] = useState(false);
  if (isRecovering) return <ByRecovery step={step} onBack={() => setRecovering(false)} />;
  return (
    <SecondStep
      methods={methods}
      layout={AuthLayout}
      submit={t('signIn.title')}
      calls={{
        prove: (proof, signal) => take(step, proof, signal),
        passkey: {
          ask: async (signal) =>
            (await gatehouse.api.signIn.stepOptions.mutate({ challenge }, { signal })).data,
          prove: (given, signal) => take(step, given, signal),
        },
      }}
    >
      <Button isWide onClick={() => setRecovering(true)}>
        {t('step.recovery')}
      </Button>
      <Button isWide onClick={onCancel}>
        {t('step.cancel')}
      </Button>
    </SecondStep>
  );
}

/** In place of lost factors: the code of a recovery, whose session may add a factor and nothing else. */
function ByRecovery({ step, onBack }: { readonly step: Step; readonly onBack: () => void }): ReactElement {
  const mutation = useMutationState('ticket');
  return (
    <AuthLayout title={t('step.recoveryTitle')} lead={t('step.recoveryLead')} takesFocus>
      <RecoveryForm
        mutation={mutation}
        onTicket={async (ticket, signal) => {
          await gatehouse.continueSignIn(step.challenge, { ticket }, { signal });
          await leaveTo(recoveredPath(nextPath()), { forGood: true });
        }}
      />
      <Button isWide onClick={onBack}>
        {t('step.back')}
      </Button>
    </AuthLayout>
  );
}

const KINDS = { root: 'demo.root', staff: 'demo.staff' } as const;

export const SignInScreen = inLanguage(SignIn);

function SignIn(): ReactElement {
  const [step, setStep] = useState<Step>();
  const shown = demonstration;
  const mutation = useMutationState('email', 'password');

  async function enter(signIn: () => Promise<unknown>): Promise<void> {
    try {
      await signIn();
    } catch (error) {
      if (!isSecondFactorRequired(error)) throw error;
      setStep({ challenge: error.data.challenge, methods: error.data.methods });
      return;
    }
    // Another document, so that nothing of this one remains.
    await leaveTo(nextPath(), { forGood: true });
  }

  useEffect(() => {
    const end = takeProviderEnd();
    if (end === undefined) return;
    if ('token' in end) {
      const { token } = end;
      mutation.send((signal) => enter(() => gatehouse.signIn({ tempLogin: true, token }, { signal })));
    } else mutation.fail({ message: providerRefusal(end.code), issues: [], mayRetry: false });
  }, []);

  const isEnrolling = isEnrolment(nextPath());
  if (step !== undefined) return <StepScreen step={step} onCancel={() => setStep(undefined)} />;
  return (
    <AuthLayout title={t('signIn.title')} lead={t(isEnrolling ? 'signIn.enrolLead' : 'signIn.lead')}>
      {shown === undefined ? null : (
        <DemoLogins
          title={t('demo.title')}
          text={t('demo.text')}
          logins={shown.logins.map(({ email, kind }) => ({ email, who: t(KINDS[kind]) }))}
          linkKey={shown.key}
          isBusy={mutation.isBusy}
          onSignIn={(email) =>
            mutation.send((signal) =>
              enter(() => gatehouse.signIn({ email, password: shown.password }, { signal })),
            )
          }
        />
      )}
      {'PublicKeyCredential' in globalThis ? (
        <Button
          isWide
          isBusy={mutation.isBusy}
          onClick={() => mutation.send((signal) => enter(() => signInWithPasskey(gatehouse, { signal })))}
        >
          {t('signIn.passkey')}
        </Button>
      ) : null}
      <ProviderButtons isBusy={mutation.isBusy} />
      <Form
        mutation={mutation}
        onSend={({ email = '', password = '' }, signal) =>
          enter(() => gatehouse.signIn({ email: email.trim(), password }, { signal }))
        }
      >
        <AddressField name="email" label={t('field.email')} autoComplete="username" required />
        <PasswordField name="password" label={t('field.password')} autoComplete="current-password" required />
        <div className="flex flex-col gap-3">
          <Link href={PATHS.forgot}>{t('signIn.forgot')}</Link>
          <Button type="submit" kind="primary" isWide isBusy={mutation.isBusy}>
            {t('signIn.title')}
          </Button>
        </div>
      </Form>
      {isEnrolling ? null : (
        <p>
          {rich(t('signIn.enrol'), {
            enrol: (inner) => <Link href={enrolPath(nextPath())}>{inner}</Link>,
          })}
        </p>
      )}
    </AuthLayout>
  );
}
