/** The filter of the shown members. */
export interface TeamSearch {
  readonly q?: string;
  /** The label of a role. */
  readonly role?: string;
}

/** The filter in an address. */
export function teamSearch({ q, role }: Record<string, unknown>): TeamSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof role === 'string' && role !== '' ? { role } : {}),
  };
}
