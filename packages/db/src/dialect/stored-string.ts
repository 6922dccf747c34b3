import { UnstorableTextError } from '../unstorable-text-error.js';

const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Checks a value before it is written to a string column or compared with one.
 * @throws TypeError when a number, boolean or object arrives where text is stored: MySQL would compare `'a1' = 0` as true
 * @throws UnstorableTextError when the text would not come back as it was sent
 */
export function storedString(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`a string column was given a ${typeof value}`);
  if (UNSTORABLE.test(value)) throw new UnstorableTextError();
  return value;
}
