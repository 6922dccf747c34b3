import { emailSchema, personNameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

const MOST_GRANTS = 1_000;

/** What is said of a member of staff. */
export const personnelFields = z.object({
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  /** The base role, which is the role among the staff. */
  roleType: z.number().int(),
  /** All the accounts that are to be granted. */
  accountIds: z.array(z.number().int().positive()).max(MOST_GRANTS),
});
