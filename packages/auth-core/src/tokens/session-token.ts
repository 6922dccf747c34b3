import { z } from 'zod';
import { flagClaim, idClaim, optionalNumberClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * A session, the only kind without a `type`. Only `userId` is used for decisions. The other fields describe
 * the state at login, for clients that show it.
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
