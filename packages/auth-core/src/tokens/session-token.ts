import { z } from 'zod';
import { flagClaim, idClaim, optionalNumberClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * A session: the one kind whose payload has no `type`. Only `userId` decides anything; the rest is
 * what was true when the token was made, for clients that show it.
 */
export const sessionToken = tokenKind(
  'session',
  z.object({
    userId: idClaim,
    role: optionalNumberClaim,
    defaultPaymentId: optionalNumberClaim,
    accountId: optionalNumberClaim,
    isPersonnel: flagClaim,
  }),
);
