import { z } from 'zod';
import { idClaim, optionalNumberClaim, sessionEpochClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * The token of a partner's login URL: the member, and the accounts that the session may reach. `partnerId` is
 * null if the token does not name the partner.
 */
export const partnerLoginToken = tokenKind(
  'partnerLogin',
  z.object({
    userId: idClaim,
    role: optionalNumberClaim,
    defaultPaymentId: optionalNumberClaim,
    accountIds: z.array(idClaim).readonly(),
    partnerId: idClaim.nullish().transform((value) => value ?? null),
    sessionEpoch: sessionEpochClaim,
  }),
);
