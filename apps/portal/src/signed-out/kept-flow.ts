import { readKept } from './read-kept.js';

/** A sign-in by mail that this browser asked for; the service seals what is in it. */
interface KeptFlow {
  readonly flow: string;
  readonly email: string;
  readonly endsAtMs: number;
}

const KEY = 'gatehouse.mail';
/** As long as the code and the link of the mail are good. */
const LIFE_MS = 10 * 60_000;

/** Keeps a flow for all tabs of this browser, because the link in the mail opens another. */
export function keepFlow({ flow, email }: { readonly flow: string; readonly email: string }): void {
  localStorage.setItem(
    KEY,
    JSON.stringify({ flow, email, endsAtMs: Date.now() + LIFE_MS } satisfies KeptFlow),
  );
}

export function forgetFlow(): void {
  localStorage.removeItem(KEY);
}

/** The flow that this browser asked for; undefined without one, and once its mail is too old. */
export function keptFlow(): KeptFlow | undefined {
  const { flow, email, endsAtMs } = readKept(localStorage, KEY);
  if (typeof flow !== 'string' || typeof email !== 'string' || typeof endsAtMs !== 'number') return undefined;
  return endsAtMs > Date.now() ? { flow, email, endsAtMs } : undefined;
}
