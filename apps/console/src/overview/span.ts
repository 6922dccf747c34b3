/** So many days the figures reach back, and how these are cut. */
export const SPANS = { 7: 'day', 28: 'day', 364: 'week' } as const;
export type Span = keyof typeof SPANS;

/** The span of time that an address names. */
export function readSpan({ days }: Record<string, unknown>): { readonly days?: Span } {
  const known = ([7, 28, 364] as const).find((each) => String(each) === String(days));
  return known === undefined ? {} : { days: known };
}
