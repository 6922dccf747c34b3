import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** What a password-reset mail carries: the member, and the address it was sent to (null where it does not say). */
export const passwordResetToken = tokenKind(
  'passwordReset',
  z.object({ userId: idClaim, email: optionalTextClaim }),
);
