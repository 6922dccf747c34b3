import { isGatehouseError, isSecondFactorRequired, type SecondFactorRequired } from '@gatehouse/client-sdk';
import { useSession } from '@gatehouse/client-sdk/react';
import { useState } from 'react';
import { fieldIn } from './field-in';

export function SignIn() {
  const { client, cause } = useSession();
  const [step, setStep] = useState<SecondFactorRequired>();
  const [message, setMessage] = useState('');

  async function send(form: FormData) {
    const field = (name: string) => fieldIn(form, name);
    setMessage('');
    try {
      if (step !== undefined) await client.continueSignIn(step, { code: field('code') });
      else await client.signIn({ email: field('email'), password: field('password') });
    } catch (error) {
      if (isSecondFactorRequired(error)) setStep(error);
      else if (isGatehouseError(error)) setMessage(error.message);
      else setMessage('The service cannot be reached.');
    }
  }

  return (
    <form action={send}>
      <h1>{step === undefined ? 'Sign in' : 'One more step'}</h1>
      {cause === 'refused' && <p>Your session has ended.</p>}
      {step === undefined ? (
        <>
          <label>
            E-mail address <input name="email" type="email" autoComplete="username" required />
          </label>
          <label>
            Password <input name="password" type="password" autoComplete="current-password" required />
          </label>
        </>
      ) : (
        <label>
          Code of your app <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
        </label>
      )}
      <button type="submit">{step === undefined ? 'Sign in' : 'Continue'}</button>
      <p role="status">{message}</p>
    </form>
  );
}
