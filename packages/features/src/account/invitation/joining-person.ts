import { passwordSchema, personNameSchema, usernameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

/** A person who joins by the link of an invitation. */
export const joiningPerson = z.object({
  token: z.string(),
  /** Left out by somebody who deleted themselves, and comes back with their password. */
  username: usernameSchema.optional(),
  password: passwordSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
});

export type JoiningPerson = z.output<typeof joiningPerson>;

/** Who joined, and what their password has to be for a session. */
export interface Joined {
  readonly memberId: number;
  readonly accountId: number;
  readonly passwordHash: string;
}
