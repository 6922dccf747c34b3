import { z } from 'zod';
import { idClaim, optionalTextClaim, sessionEpochClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token a social callback gives to the front end: the member, the provider's key, and the connection; it
 * ends with the connection and with the member's sessions. Tokens of the replaced system name neither.
 */
export const socialLoginToken = tokenKind(
  'socialLogin',
  z.object({
    userId: idClaim,
    provider: optionalTextClaim,
    connectionId: idClaim.nullish(),
    sessionEpoch: sessionEpochClaim,
  }),
);
