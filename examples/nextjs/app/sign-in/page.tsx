import { gatehouse } from '../../gatehouse';
import { ActionForm } from '../action-form';
import { signIn, takeStep } from '../actions';

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ ended?: string }> }) {
  const { step } = await gatehouse();
  if (step !== null) {
    return (
      <ActionForm key="step" action={takeStep} button="Continue" asks="code">
        <h1>One more step</h1>
      </ActionForm>
    );
  }
  return (
    <ActionForm key="password" action={signIn} button="Sign in" email="E-mail address">
      <h1>Sign in</h1>
      {(await searchParams).ended !== undefined && <p>Your session has ended.</p>}
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
    </ActionForm>
  );
}
