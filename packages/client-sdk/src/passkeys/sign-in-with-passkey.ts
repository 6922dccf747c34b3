import { finishWithPasskey } from './finish-with-passkey.js';
import { getPasskey } from './get-passkey.js';
import type { PasskeyClient, PasskeySession } from './passkey-client.js';

/**
 * Signs in with a passkey that the user chooses, as behind a button. It ends an autofill of the page.
 * @throws {GatehouseError} `passkey_unknown`, `invalid_credentials`, `rate_limited`
 * @throws a `NotAllowedError` if the user declined
 */
export async function signInWithPasskey(
  gatehouse: PasskeyClient,
  { signal }: { signal?: AbortSignal } = {},
): Promise<PasskeySession> {
  const { data: asked } = await gatehouse.api.signIn.passkeyOptions.mutate({});
  return finishWithPasskey(gatehouse, asked, await getPasskey(asked, signal ? { signal } : {}));
}
