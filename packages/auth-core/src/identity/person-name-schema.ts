import { isVisible } from './is-visible.js';
import { searchKey } from './search-key.js';
import { storableText } from './storable-text.js';

const MAX_LENGTH = 100;

/**
 * A person's first or last name, or the name of an account: one line of 1 to 100 characters, kept as
 * sent. Names that normalisation makes longer than that are refused, so that their search key fits too, and so are names of which
 * nothing is seen.
 */
export const personNameSchema = storableText(MAX_LENGTH)
  .refine((text) => searchKey(text).length <= MAX_LENGTH, { message: 'is too long' })
  .refine(isVisible, { message: 'must contain something visible' });
