import { usernameSchema } from '@gatehouse/auth-core';

const MOST = 64;

/**
 * A partner's name, which its systems send as partnerId: 1 to 64 characters, unique regardless of case, width
 * and accents. It must not be digits only, because those are our numbers.
 */
export const partnerNameSchema = usernameSchema
  .refine((name) => name.length <= MOST, { message: `must have at most ${MOST} characters` })
  .refine((name) => !/^\d+$/.test(name.normalize('NFKC')), { message: 'must not be a number' });
