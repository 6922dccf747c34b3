import { isSecondFactorRequired } from '@gatehouse/client-sdk/admin';
import { signInWithPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath, nextPath } from '../links.js';
import { t } from '../words.js';
import { AuthLayout } from './auth-layout.js';
import { SecondStep, type Step } from './second-step.js';

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
