import { isGatehouseError } from '../errors.js';
import type { AskedPasskey, PasskeyClient, PasskeySession } from './passkey-client.js';
import { forgetPasskey } from './send-signals.js';

/** Signs in with the browser's response. The browser forgets a passkey that the service does not know. */
export async function finishWithPasskey(
  gatehouse: PasskeyClient,
  { options }: AskedPasskey,
  given: { flow: string; response: unknown; withoutSso?: boolean | undefined },
): Promise<PasskeySession> {
  try {
    const { data } = await gatehouse.api.signIn.passkey.mutate(given);
    gatehouse.adoptSession(data);
    const { token: _token, ...session } = data;
    return session;
  } catch (error) {
    if (isGatehouseError(error, 'passkey_unknown')) await forgetPasskey(options.rpId, given.response);
    throw error;
  }
}
