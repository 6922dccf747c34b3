import { isVisible } from './is-visible.js';
import { searchKey } from './search-key.js';
import { storableText } from './storable-text.js';

const MAX_LENGTH = 100;

/**
 * A person's first or last name, or an account's name: one visible line of 1 to 100 characters, kept as sent. A
 * name that exceeds 100 characters after normalisation is refused, so that its search key fits.
 */
export const personNameSchema = storableText(MAX_LENGTH)
  .refine((text) => searchKey(text).length <= MAX_LENGTH, { message: 'is too long' })
  .refine(isVisible, { message: 'must contain something visible' });
