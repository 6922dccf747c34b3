'use client';

import { type ReactNode, useActionState } from 'react';
import type { Outcome } from './actions';

/** A form of an action that can refuse. Without JavaScript the page comes back with what it says. */
export function ActionForm(props: {
  action: (before: Outcome, form: FormData) => Promise<Outcome>;
  button: string;
  asksEmail?: boolean;
  children: ReactNode;
}) {
  const [{ message, email, asksPassword = false }, send, isPending] = useActionState(props.action, {});
  return (
    <form action={send}>
      {props.asksEmail === true && (
        <label>
          E-mail address{' '}
          <input name="email" type="email" autoComplete="username" defaultValue={email} required />
        </label>
      )}
      {props.children}
      {asksPassword && (
        <label>
          Your password, again <input name="password" type="password" required />
        </label>
      )}
      <button type="submit" disabled={isPending}>
        {props.button}
      </button>
      {message !== undefined && <p role="status">{message}</p>}
    </form>
  );
}
