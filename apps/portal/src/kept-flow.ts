/**
 * The fields of an object that a page stored as JSON; none if nothing was stored, or if another release or another page of this
 * origin wrote something else.
 */
export function readKept(storage: Storage, key: string): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}

/** A sign-in by mail that this browser requested, encrypted by the service. */
interface KeptFlow {
  readonly flow: string;
  /** Known only in the tab that asked. */
  readonly email: string | undefined;
}

const KEY = 'gatehouse.mail';

/** As long as the code and the link of the mail are valid. */
const LIFE_MS = 10 * 60_000;

/**
 * Keeps a flow for all tabs of this browser, because the link in the mail opens another. The address stays in this tab and ends
 * with it.
 */
export function keepFlow({ flow, email }: { readonly flow: string; readonly email: string }): void {
  localStorage.setItem(KEY, JSON.stringify({ flow, endsAtMs: Date.now() + LIFE_MS }));
  sessionStorage.setItem(KEY, JSON.stringify({ flow, email }));
}

export function forgetFlow(): void {
  localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
}

/** The flow that this browser requested; undefined without one, or if its mail is too old. */
export function keptFlow(): KeptFlow | undefined {
  const { flow, endsAtMs } = readKept(localStorage, KEY);
  if (typeof flow !== 'string' || typeof endsAtMs !== 'number' || endsAtMs <= Date.now()) {
    forgetFlow();
    return undefined;
  }
  const own = readKept(sessionStorage, KEY);
  return { flow, email: own['flow'] === flow && typeof own['email'] === 'string' ? own['email'] : undefined };
}
