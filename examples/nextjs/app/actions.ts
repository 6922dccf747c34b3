'use server';

import {
  isGatehouseError,
  isSecondFactorRequired,
  isUnavailable,
  isVerificationRequired,
} from '@gatehouse/client-sdk';
import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { gatehouse } from '../gatehouse';

/** The result to show in a form after it was sent. */
export interface Outcome {
  readonly message?: string;
  /** The form asks for this too. */
  readonly asks?: 'password' | 'code' | undefined;
  /** The address that was entered: React empties forms that were sent. */
  readonly email?: string;
}

export async function signIn(_: Outcome, form: FormData): Promise<Outcome> {
  const client = await gatehouse();
  const email = field(form, 'email');
  try {
    await client.signIn({ email, password: field(form, 'password') });
  } catch (error) {
    // The client keeps the sign-in in a cookie, and the page shows the second step.
    if (isSecondFactorRequired(error)) redirect('/sign-in');
    return { ...refused(error), email };
  }
  redirect('/');
}

export async function takeStep(_: Outcome, form: FormData): Promise<Outcome> {
  const client = await gatehouse();
  // The second step has ten minutes.
  if (client.step === null) redirect('/sign-in');
  try {
    await client.continueSignIn(codeIn(form));
  } catch (error) {
    return refused(error);
  }
  redirect('/');
}

export async function selectAccount(form: FormData): Promise<void> {
  (await gatehouse()).selectAccount(Number(field(form, 'accountId')));
  redirect('/');
}

export async function renameAccount(_: Outcome, form: FormData): Promise<Outcome> {
  const { api } = await gatehouse();
  try {
    await api.account.rename.mutate({ name: field(form, 'name') });
  } catch (error) {
    return refused(error);
  }
  revalidatePath('/');
  return { message: 'Renamed' };
}

/** Hard to undo: a person who signed in more than ten minutes ago proves their identity again, in the same form. */
export async function changeEmail(before: Outcome, form: FormData): Promise<Outcome> {
  const { api } = await gatehouse();
  const email = field(form, 'email');
  const password = field(form, 'password');
  try {
    if (before.asks !== undefined)
      await api.verification.prove.mutate(before.asks === 'password' ? { password } : codeIn(form));
    await api.email.change.mutate({ email });
  } catch (error) {
    return { asks: before.asks, ...refused(error), email };
  }
  return { message: 'Follow the links in the mails that you get now' };
}

export async function signOut(): Promise<void> {
  const client = await gatehouse();
  // The cookies are gone, even if the service could not be reached.
  await client.signOut().catch(() => undefined);
  redirect('/sign-in');
}

export async function signOutEverywhere(): Promise<void> {
  const client = await gatehouse();
  await client.api.session.endMany.mutate({ others: true });
  await client.signOut();
  redirect('/sign-in');
}

function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Codes of an app have six digits, backup codes letters too. */
function codeIn(form: FormData): { code: string } | { backupCode: string } {
  const code = field(form, 'code').replaceAll(' ', '');
  return /^\d{6}$/.test(code) ? { code } : { backupCode: code };
}

/** The service's sentences for refusals can be shown to people. */
function refused(error: unknown): Outcome {
  if (isVerificationRequired(error)) {
    const { methods } = error.data.verification;
    return { asks: methods.includes('password') ? 'password' : 'code' };
  }
  if (isGatehouseError(error, 'unauthorized')) redirect('/sign-in?ended');
  if (isUnavailable(error)) return { message: 'That does not work at the moment. Try again soon.' };
  if (isGatehouseError(error)) return { message: error.message };
  throw error;
}
