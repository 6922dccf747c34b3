/**
 * Query strings and older clients send numbers as text. Plain digits become a number; the schema checks
 * everything else.
 */
export function integerIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** `integerIn` for flags: the words, and the 1 and 0 that older clients send. */
export function flagIn(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 1) return true;
  return value === 'false' || value === '0' || value === 0 ? false : value;
}

/** Treats an empty text as absent, since forms send one for an empty field. */
export function filledIn(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}

/** The two fields of every list. */
export function pageIn(fields: Readonly<Record<string, unknown>>): { limit: unknown; cursor: unknown } {
  return { limit: fields['limit'], cursor: fields['cursor'] };
}
