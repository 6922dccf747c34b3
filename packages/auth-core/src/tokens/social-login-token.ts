import { z } from 'zod';
import { idClaim, optionalTextClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** What a social callback hands to the front end: which member, and by which provider (its key). */
export const socialLoginToken = tokenKind(
  'socialLogin',
  z.object({ userId: idClaim, provider: optionalTextClaim }),
);
