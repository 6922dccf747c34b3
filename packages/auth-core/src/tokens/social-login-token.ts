import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * What a social callback hands to the front end: which member, by which provider (its key), and by which connection,
 * so that the token dies with that. A token of the replaced system names none.
 */
export const socialLoginToken = tokenKind(
  'socialLogin',
  z.object({ userId: idClaim, provider: optionalTextClaim, connectionId: idClaim.nullish() }),
);
