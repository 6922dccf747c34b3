import { passwordSchema, personNameSchema, usernameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

/** A person who joins by the link of an invitation. */
export const joiningPerson = z.object({
  token: z.string(),
  username: usernameSchema,
  password: passwordSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
});

export type JoiningPerson = z.output<typeof joiningPerson>;
