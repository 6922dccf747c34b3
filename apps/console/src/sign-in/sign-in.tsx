import { isSecondFactorRequired } from '@gatehouse/client-sdk/admin';
import { getPasskey, signInWithPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { AddressField, CodeField, PasswordField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath, nextPath } from '../links.js';
import { t } from '../words.js';
import { AuthLayout } from './auth-layout.js';

/** A second step that is due. */
export interface Step {
  readonly challenge: string;
  readonly methods: readonly string[];
}

const WAYS = ['passkey', 'totp', 'backupCode'] as const;

type Way = (typeof WAYS)[number];

const NAMES = { passkey: 'step.passkey', totp: 'step.totp', backupCode: 'step.backupCode' } as const;

const LEADS = {
  passkey: 'step.passkeyLead',
  totp: 'step.totpLead',
  backupCode: 'step.backupLead',
} as const;

/** Asks for the second factor of a sign-in. */
export function SecondStep({
  step,
  onCancel,
}: {
  readonly step: Step;
  readonly onCancel: () => void;
}): ReactElement {
  const ways = WAYS.filter((way) => step.methods.includes(way));
  const [way, setWay] = useState<Way>(ways[0] ?? 'totp');
  return (
    <AuthLayout title={t('step.title')} lead={t(LEADS[way])} takesFocus>
      {way === 'passkey' ? <ByPasskey step={step} /> : <ByCode key={way} step={step} way={way} />}
      <div className="flex flex-col gap-2">
        {ways
          .filter((each) => each !== way)
          .map((each) => (
            <Button key={each} isWide onClick={() => setWay(each)}>
              {t(NAMES[each])}
            </Button>
          ))}
        <Button isWide onClick={onCancel}>
          {t('step.cancel')}
        </Button>
      </div>
    </AuthLayout>
  );
}

function ByCode({ step, way }: { readonly step: Step; readonly way: Exclude<Way, 'passkey'> }): ReactElement {
  const mutation = useMutationState('code');
  return (
    <Form
      mutation={mutation}
      onSend={async ({ code = '' }, signal) => {
        const proof = way === 'totp' ? { code: code.trim() } : { backupCode: code.trim() };
        await gatehouse.continueSignIn(step.challenge, proof, { signal });
        await leaveTo(nextPath(), { forGood: true });
      }}
    >
      <CodeField
        name="code"
        label={t(way === 'totp' ? 'field.code' : 'field.backupCode')}
        {...(way === 'totp' ? { digits: 6 } : {})}
      />
      <div>
        <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('signIn.submit')}
        </Button>
      </div>
    </Form>
  );
}

function ByPasskey({ step }: { readonly step: Step }): ReactElement {
  const mutation = useMutationState();
  return (
    <>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        kind="primary"
        isWide
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { challenge } = step;
            const { data } = await gatehouse.api.signIn.stepOptions.mutate({ challenge }, { signal });
            const { flow, options } = data;
            if (flow === undefined || options === undefined) throw new Error('A passkey may not be the step');
            const given = await getPasskey({ flow, options }, { signal });
            await gatehouse.continueSignIn(challenge, given, { signal });
            await leaveTo(nextPath(), { forGood: true });
          })
        }
      >
        {t('step.passkey')}
      </Button>
    </>
  );
}

export const SignInScreen = inLanguage(SignIn);

function SignIn(): ReactElement {
  const [step, setStep] = useState<Step>();
  const mutation = useMutationState('email', 'password');

  async function enter(signIn: () => Promise<unknown>): Promise<void> {
    try {
      await signIn();
    } catch (error) {
      if (!isSecondFactorRequired(error)) throw error;
      setStep({ challenge: error.data.challenge, methods: error.data.methods });
      return;
    }
    // Another document, so that nothing of this one is left.
    await leaveTo(nextPath(), { forGood: true });
  }

  if (step !== undefined) return <SecondStep step={step} onCancel={() => setStep(undefined)} />;
  return (
    <AuthLayout title={t('signIn.title')} lead={t('signIn.lead')}>
      {'PublicKeyCredential' in globalThis ? (
        <Button
          isWide
          isBusy={mutation.isBusy}
          onClick={() => mutation.send((signal) => enter(() => signInWithPasskey(gatehouse, { signal })))}
        >
          {t('signIn.passkey')}
        </Button>
      ) : null}
      <Form
        mutation={mutation}
        onSend={({ email = '', password = '' }, signal) =>
          enter(() => gatehouse.signIn({ email: email.trim(), password }, { signal }))
        }
      >
        <AddressField name="email" label={t('field.email')} autoComplete="username" required />
        <PasswordField name="password" label={t('field.password')} autoComplete="current-password" required />
        <div>
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('signIn.submit')}
          </Button>
        </div>
      </Form>
      <p>{rich(t('signIn.enrol'), { enrol: (inner) => <Link href={enrolPath()}>{inner}</Link> })}</p>
    </AuthLayout>
  );
}
