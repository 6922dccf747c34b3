import { isGatehouseError, perCall } from '@gatehouse/client-sdk';
import { isUnsure } from '@gatehouse/screens/failure/is-unsure';
import { gatehouse } from '../client.js';

/** What is known of earlier tries of one form. */
export interface Tries {
  /** Whether one may have been done though its answer was lost. */
  mayBeDone: boolean;
}

/** What the second registration of somebody is refused with. */
const TAKEN = ['email_taken', 'username_taken', 'invitation_used', 'sign_in_required'] as const;

/**
 * Registers somebody, and signs them in for a session in the cookie. The session of the registration's own token, which this
 * page does not keep, is ended. Where an earlier try may have registered them, a refusal stands only if they cannot sign in.
 */
export async function beginSession(
  credentials: { readonly email: string; readonly password: string },
  tries: Tries,
  register: () => Promise<{ readonly token: string }>,
): Promise<void> {
  let registered: string;
  try {
    registered = (await register()).token;
  } catch (error) {
    if (isUnsure(error)) tries.mayBeDone = true;
    if (!tries.mayBeDone || !isGatehouseError(error, ...TAKEN)) throw error;
    await gatehouse.signIn(credentials).catch(() => {
      throw error;
    });
    return;
  }
  tries.mayBeDone = true;
  await gatehouse.signIn(credentials);
  // It ends by itself if this call is lost.
  await gatehouse.api.session.end.mutate(undefined, perCall({ token: registered })).catch(() => undefined);
}
