/**
 * Query strings and older clients spell numbers as text: plain digits become a number, everything else
 * is left for the schema to judge.
 */
export function integerIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** As `integerIn`, for flags spelt `true` and `false` in forms and query strings. */
export function flagIn(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** A field that a form left empty, which it sends as an empty text, counts as absent. */
export function filledIn(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}

/** The two fields every list takes. */
export function pageIn(fields: Readonly<Record<string, unknown>>): { limit: unknown; cursor: unknown } {
  return { limit: integerIn(fields['limit']), cursor: fields['cursor'] };
}
