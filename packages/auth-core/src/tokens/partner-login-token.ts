import { z } from 'zod';
import { idClaim, optionalNumberClaim } from './claim-schemas.js';
import { tokenKind } from './token-kind.js';

/**
 * What a partner's login URL carries: the member, and the accounts that partner may lead to.
 * `partnerId` is null where the token does not name the partner.
 */
export const partnerLoginToken = tokenKind(
  'partnerLogin',
  z.object({
    userId: idClaim,
    role: optionalNumberClaim,
    defaultPaymentId: optionalNumberClaim,
    accountIds: z.array(idClaim).readonly(),
    partnerId: idClaim.nullish().transform((value) => value ?? null),
  }),
);
