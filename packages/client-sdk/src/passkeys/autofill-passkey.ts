import { arePasskeysSupported } from './browser.js';
import { finishWithPasskey } from './finish-with-passkey.js';
import { getPasskey, questionsAsked } from './get-passkey.js';
import type { PasskeyClient, PasskeySession } from './passkey-client.js';

/** Flows live 15 minutes. */
const RENEW_MS = 10 * 60_000;

/**
 * Offers passkeys in the autofill of a field with `autocomplete="username webauthn"`, until the user chooses one. The
 * options are renewed every ten minutes. `signInWithPasskey` and the signal end it. `withoutSso` is for owners who may sign in without
 * the identity provider that their account requires.
 * @returns undefined where the browser offers none, and when it was ended
 */
export async function autofillPasskey(
  gatehouse: PasskeyClient,
  {
    signal,
    renewMs = RENEW_MS,
    withoutSso = false,
  }: { signal?: AbortSignal; renewMs?: number; withoutSso?: boolean } = {},
): Promise<PasskeySession | undefined> {
  if (!(await arePasskeysSupported()).autofill) return undefined;
  const fillsAfter = questionsAsked();
  while (signal?.aborted !== true) {
    const { data: asked } = await gatehouse.api.signIn.passkeyOptions.mutate({});
    const renewal = new AbortController();
    const abort = () => {
      renewal.abort();
    };
    let isOld = false;
    const timer = setTimeout(() => {
      isOld = true;
      abort();
    }, renewMs);
    signal?.addEventListener('abort', abort);
    try {
      const given = await getPasskey(asked, { signal: renewal.signal, fillsAfter });
      return await finishWithPasskey(gatehouse, asked, { ...given, ...(withoutSso ? { withoutSso } : {}) });
    } catch (error) {
      const isAborted = error instanceof Error && error.name === 'AbortError';
      if (!isAborted) throw error;
      if (!isOld) return undefined;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
  return undefined;
}
