import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * What a password-reset mail carries: the member, the address it was sent to (null where it does not say), and
 * when the forgotten password had been set, in epoch milliseconds (null for one that was never changed), so
 * that the link dies with that password.
 */
export const passwordResetToken = tokenKind(
  'passwordReset',
  z.object({ userId: idClaim, email: optionalTextClaim, passwordChangedAtMs: z.int().nullish() }),
);
