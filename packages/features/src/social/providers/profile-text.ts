import { emailSchema, personNameSchema, storableText } from '@gatehouse/auth-core';
import { z } from 'zod';

const LONGEST_ID = 200;

/** An id as providers write it, as text or as a number. */
export const profileId = z
  .union([z.string(), z.number().int().nonnegative().transform(String)])
  .pipe(storableText(LONGEST_ID));

/** A name, cut to what we store; whatever else stands there counts as absent. */
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

/** An address; one that we would not take at a registration counts as absent. */
export const profileEmail = emailSchema
  .nullish()
  .transform((email) => email ?? null)
  .catch(null);

/** The address of a picture; anything but https counts as absent. */
export const profilePicture = z
  .url({ protocol: /^https$/ })
  .max(1000)
  .nullish()
  .transform((url) => url ?? null)
  .catch(null);

/** A flag that only `true` sets, as a boolean or as the text some providers send. */
export const profileFlag = z
  .union([z.literal(true), z.literal('true')])
  .transform(() => true)
  .catch(false);
