import { emailSchema, personNameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

const MOST_GRANTS = 1_000;

/** The fields of a member of staff. */
export const personnelFields = z.object({
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  /** The base role, which is also the role as staff. */
  roleType: z.number().int(),
  /** The complete list of granted accounts. */
  accountIds: z.array(z.number().int().positive()).max(MOST_GRANTS),
});
