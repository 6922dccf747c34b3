import { perCall } from '@gatehouse/client-sdk';
import { gatehouse } from '../client.js';

/**
 * Signs somebody in who has just registered, for a session in the cookie. The session of the registration's own token, which
 * this page does not keep, is ended.
 */
export async function beginSession(
  { email, password }: { readonly email: string; readonly password: string },
  registered: string,
): Promise<void> {
  await gatehouse.signIn({ email, password });
  // It ends by itself if this call is lost.
  await gatehouse.api.session.end.mutate(undefined, perCall({ token: registered })).catch(() => undefined);
}
