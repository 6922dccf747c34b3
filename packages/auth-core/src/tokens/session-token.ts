import { z } from 'zod';
import { flagClaim, idClaim, optionalNumberClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/** Only `userId` is used for decisions. The other fields describe the state at login, for clients that show it. */
export const sessionClaims = z.object({
  userId: idClaim,
  role: optionalNumberClaim,
  defaultPaymentId: optionalNumberClaim,
  accountId: optionalNumberClaim,
  isPersonnel: flagClaim,
});

/** A session. Its payload has no `type` and no list of accounts. */
export const sessionToken = tokenKind('session', sessionClaims);
