'use client';

import { type ReactNode, useActionState } from 'react';
import type { Outcome } from './actions';

/** A form of an action that can refuse, or ask for a proof. Without JavaScript the page is loaded again with the result. */
export function ActionForm(props: {
  action: (before: Outcome, form: FormData) => Promise<Outcome>;
  button: string;
  /** The label of a field for an address. */
  email?: string;
  asks?: Outcome['asks'];
  children?: ReactNode;
}) {
  const [{ message, email, asks = props.asks }, send, isPending] = useActionState(props.action, {});
  return (
    <form action={send}>
      {props.email !== undefined && (
        <label>
          {props.email}{' '}
          <input name="email" type="email" autoComplete="username" defaultValue={email} required />
        </label>
      )}
      {props.children}
      {asks === 'password' && (
        <label>
          Your password, again{' '}
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      )}
      {asks === 'code' && (
        <label>
          Code of your app, or a backup code <input name="code" autoComplete="one-time-code" required />
        </label>
      )}
      <button type="submit" disabled={isPending}>
        {props.button}
      </button>
      {message !== undefined && <p role="status">{message}</p>}
    </form>
  );
}
