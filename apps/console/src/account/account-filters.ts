/** What is looked for among accounts. It stands in the address, so that Back and a link find it again. */
export interface AccountFilters {
  readonly q?: string;
}

/** The filters that an address names; what is none is left out. */
export function readAccountFilters({ q }: Record<string, unknown>): AccountFilters {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return text === '' ? {} : { q: text };
}
