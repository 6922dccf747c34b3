/**
 * A text that the databases cannot return unchanged: it contains a NUL character (the embedded database cuts
 * the text there) or half of a surrogate pair (UTF-8 cannot encode it). The input is wrong, not the service.
 */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';

  constructor() {
    super('a text with a NUL character or a lone surrogate cannot be stored');
  }
}

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

/** The storable beginning of a text that need not be complete, such as a User-Agent or error message. */
export function storableBeginning(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\0|\p{Surrogate}/gu, '\u{FFFD}');
}
