import { z } from 'zod';
import { flagClaim, idClaim, optionalNumberClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * A session, the one kind without a `type`. Only `userId` decides anything. The rest describes the moment of
 * login, for clients that show it.
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
