import { personNameSchema, storableText, vouchedAddress } from '@gatehouse/auth-core';
import { z } from 'zod';

const LONGEST_ID = 200;

/** A provider's id, as text or a number. */
export const profileId = z
  .union([z.string(), z.number().int().nonnegative().transform(String)])
  .pipe(storableText(LONGEST_ID));

/** A name, cut to our length; anything else counts as absent. */
export const profileName = z
  .string()
  .transform((text) =>
    text
      .trim()
      .slice(0, 100)
      .replace(/[\uD800-\uDBFF]$/, ''),
  )
  .pipe(personNameSchema)
  .nullish()
  .transform((name) => name ?? null)
  .catch(null);

/** An address, in its canonical form; one that is not in that form at the provider counts as absent. */
export const profileEmail = z
  .string()
  .nullish()
  .transform((email) => vouchedAddress(email ?? '') ?? null)
  .catch(null);

/** A picture's address; anything but https counts as absent. */
export const profilePicture = z
  .url({ protocol: /^https$/ })
  .max(1000)
  .nullish()
  .transform((url) => url ?? null)
  .catch(null);

/** A flag that only `true`, as a boolean or text, sets. */
export const profileFlag = z
  .union([z.literal(true), z.literal('true')])
  .transform(() => true)
  .catch(false);
