import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token of an activation mail: the member, the address it was sent to (null if the token has none) and,
 * for a member without an address, the session that requested it.
 */
export const emailVerificationToken = tokenKind(
  'emailVerification',
  z.object({ userId: idClaim, email: optionalTextClaim, sessionId: idClaim.optional() }),
);
