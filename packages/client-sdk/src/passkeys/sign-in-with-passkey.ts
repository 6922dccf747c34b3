import { finishWithPasskey } from './finish-with-passkey.js';
import { getPasskey } from './get-passkey.js';
import type { PasskeyClient, PasskeySession } from './passkey-client.js';

/**
 * Signs in with a passkey that the user chooses, as behind a button. It ends an autofill of the page. `withoutSso` is for owners who may
 * sign in without the identity provider that their account requires.
 * @throws {GatehouseError} `passkey_unknown`, `invalid_credentials`, `rate_limited`
 * @throws a `NotAllowedError` if the user declined
 */
export async function signInWithPasskey(
  gatehouse: PasskeyClient,
  { signal, withoutSso = false }: { signal?: AbortSignal; withoutSso?: boolean } = {},
): Promise<PasskeySession> {
  const { data: asked } = await gatehouse.api.signIn.passkeyOptions.mutate({});
  const given = await getPasskey(asked, signal ? { signal } : {});
  return finishWithPasskey(gatehouse, asked, { ...given, ...(withoutSso ? { withoutSso } : {}) });
}
