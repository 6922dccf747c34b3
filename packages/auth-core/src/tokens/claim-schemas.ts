import { z } from 'zod';

/** The number of a member, an account or a partner. */
export const idClaim = z.int().positive();

/** The epoch of the member's sessions when a token was made. The token ends with them. Other systems omit it. */
export const sessionEpochClaim = z.int().nonnegative().nullish();

/** A number that other systems omit or set to null. */
export const optionalNumberClaim = z
  .int()
  .nullish()
  .transform((value) => value ?? null);

/** A text that other systems omit or set to null. */
export const optionalTextClaim = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A flag that other systems omit, or write in their database's form. */
export const flagClaim = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .nullish()
  .transform((value) => value === true || value === 1);
