import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token a social callback gives to the front end: the member, the provider's key, and the connection; it
 * ends with the connection. Tokens of the replaced system name no connection.
 */
export const socialLoginToken = tokenKind(
  'socialLogin',
  z.object({ userId: idClaim, provider: optionalTextClaim, connectionId: idClaim.nullish() }),
);
