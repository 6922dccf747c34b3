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

/** What a form has to say after it was sent. */
export interface Outcome {
  readonly message?: string;
  /** The form asks for the password too. */
  readonly asksPassword?: boolean;
  /** The address that was entered: React empties forms that were sent. */
  readonly email?: string;
}

function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
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
  if (client.step === null) redirect('/sign-in');
  try {
    await client.continueSignIn({ code: field(form, 'code') });
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

export async function showSecret(_: Outcome, form: FormData): Promise<Outcome> {
  const { api } = await gatehouse();
  const password = field(form, 'password');
  try {
    if (password !== '') await api.verification.prove.mutate({ password });
    await api.totp.start.mutate();
  } catch (error) {
    // Hard to undo: who signed in more than ten minutes ago proves again who they are.
    if (isVerificationRequired(error)) return { asksPassword: true };
    return refused(error);
  }
  return { message: 'An authenticator app can be set up now' };
}

export async function signOut(): Promise<void> {
  const client = await gatehouse();
  // The cookies are gone, also where the service could not be told.
  await client.signOut().catch(() => undefined);
  redirect('/sign-in');
}

export async function signOutEverywhere(): Promise<void> {
  const client = await gatehouse();
  await client.api.session.endMany.mutate({ others: true });
  await client.signOut();
  redirect('/sign-in');
}

/** What the service refuses with can be shown to people. */
function refused(error: unknown): Outcome {
  if (isUnavailable(error)) return { message: 'That does not work at the moment. Try again soon.' };
  if (isGatehouseError(error)) return { message: error.message };
  throw error;
}
