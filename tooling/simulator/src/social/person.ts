import { z } from 'zod';

/** A person with an account at every simulated provider. */
export const personSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  firstName: z.string().max(100),
  lastName: z.string().max(100),
  /** Empty for a person without an address. */
  email: z.string().max(200),
  /** The provider's statement about the address, if any. */
  isEmailVerified: z.boolean(),
});

export type Person = z.output<typeof personSchema>;

/** The person at the consent page by default. */
export const ROBIN: Person = {
  id: '700100200',
  firstName: 'Robin',
  lastName: 'Rivera',
  email: 'robin@rivera.test',
  isEmailVerified: true,
};
