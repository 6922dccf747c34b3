import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token of a password-reset mail: the member, the address it was sent to (null if the token has none),
 * and when the forgotten password was set, in epoch milliseconds (null if never changed). The link is invalid
 * once that password has changed.
 */
export const passwordResetToken = tokenKind(
  'passwordReset',
  z.object({ userId: idClaim, email: optionalTextClaim, passwordChangedAtMs: z.int().nullish() }),
);
