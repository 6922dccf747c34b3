import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * What an activation mail carries: the member, the address it was sent to (null where it does not say), and the session
 * that asked for it, where a member without an address did.
 */
export const emailVerificationToken = tokenKind(
  'emailVerification',
  z.object({ userId: idClaim, email: optionalTextClaim, sessionId: idClaim.optional() }),
);
