import { requirePasskeys } from './browser.js';
import { parseRequest, toJson } from './json.js';
import type { AskedPasskey } from './passkey-client.js';

/** The open request of this page: browsers allow one at a time. */
let open: AbortController | undefined;

/** The number of this page's requests other than autofill. */
let questions = 0;

/** The signal of an autofill for `getPasskey`, which refuses it once the page has begun another request. */
export function questionsAsked(): number {
  return questions;
}

/**
 * Asks the browser for a passkey, and first ends an open request of this page, such as autofill.
 * @param asked what `signIn.passkeyOptions`, `signIn.stepOptions` or `verification.options` returned
 * @returns what `signIn.passkey`, `signIn.step` and `verification.prove` take
 * @throws {Error} where no passkey may be the step or the proof
 * @throws an `AbortError` if the signal ended it, a `NotAllowedError` if the user did
 */
export async function getPasskey(
  { flow, options }: Partial<AskedPasskey>,
  { signal, fillsAfter }: { signal?: AbortSignal; fillsAfter?: number } = {},
): Promise<{ readonly flow: string; readonly response: object }> {
  const { credentials, PublicKey } = requirePasskeys();
  if (flow === undefined || options === undefined) throw new Error('The service asks for no passkey');
  signal?.throwIfAborted();
  if (fillsAfter === undefined) questions += 1;
  else if (fillsAfter !== questions) throw new DOMException('The page asks otherwise', 'AbortError');
  open?.abort();
  const own = new AbortController();
  const abort = () => {
    own.abort();
  };
  signal?.addEventListener('abort', abort);
  open = own;
  try {
    const publicKey = parseRequest(PublicKey, options);
    const mediation = fillsAfter === undefined ? {} : { mediation: 'conditional' };
    const credential = await credentials.get({ publicKey, signal: own.signal, ...mediation });
    if (credential === null) throw new Error('The browser gave no passkey');
    return { flow, response: toJson(credential) };
  } finally {
    signal?.removeEventListener('abort', abort);
    if (open === own) open = undefined;
  }
}
