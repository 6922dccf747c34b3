import { UnstorableTextError } from '../unstorable-text-error.js';

const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Checks a value before it is written to a string column or compared with one.
 * @throws TypeError for a number, boolean or object: MySQL would compare `'a1' = 0` as true
 * @throws UnstorableTextError if the text would not be returned unchanged
 */
export function storedString(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`a string column was given a ${typeof value}`);
  if (UNSTORABLE.test(value)) throw new UnstorableTextError();
  return value;
}
