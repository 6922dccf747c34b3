import { UnstorableTextError } from '../unstorable-text-error.js';

const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Passes a string on its way into, or into a comparison with, a string column.
 *
 * @throws TypeError when a number, boolean or object arrives where text is stored: MySQL would compare `'a1' = 0` as true
 * @throws UnstorableTextError when the text would not come back as it was sent
 */
export function storedString(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`a string column was given a ${typeof value}`);
  if (UNSTORABLE.test(value)) throw new UnstorableTextError();
  return value;
}
