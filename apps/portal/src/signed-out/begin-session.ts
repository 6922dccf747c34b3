import { isGatehouseError } from '@gatehouse/client-sdk';
import { isUnsure } from '@gatehouse/ui/failure/is-unsure';
import { gatehouse } from '../client.js';

/** What is known of earlier tries of one form. */
export interface Tries {
  /** Whether one may have been done though its answer was lost. */
  mayBeDone: boolean;
}

/** What the second registration of somebody is refused with. */
const TAKEN = ['email_taken', 'username_taken', 'invitation_used', 'sign_in_required'] as const;

/**
 * Registers somebody, which begins a session in the cookie. Where an earlier try may have registered them, a refusal stands only if
 * they cannot sign in.
 */
export async function beginSession(
  credentials: { readonly email: string; readonly password: string },
  tries: Tries,
  register: () => Promise<Parameters<typeof gatehouse.adoptSession>[0]>,
): Promise<void> {
  try {
    gatehouse.adoptSession(await register());
  } catch (error) {
    if (isUnsure(error)) tries.mayBeDone = true;
    if (!tries.mayBeDone || !isGatehouseError(error, ...TAKEN)) throw error;
    await gatehouse.signIn(credentials).catch(() => {
      throw error;
    });
  }
}
