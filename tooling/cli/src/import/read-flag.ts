const YES: ReadonlySet<string> = new Set(['1', 'true', 't', 'yes', 'y']);
const NO: ReadonlySet<string> = new Set(['0', 'false', 'f', 'no', 'n']);

/** The words that are flags. */
export const FLAG_WORDS = [...YES, ...NO];

/** A flag in a table, false if it is empty; undefined if it is not a flag. */
export function readFlag(text = '0'): boolean | undefined {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
