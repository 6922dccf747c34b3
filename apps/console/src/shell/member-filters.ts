export const STATES = ['live', 'banned', 'deleting', 'deleted'] as const;
export type State = (typeof STATES)[number];

/** The search. It is in the address, so that Back and a link restore it. */
export interface Filters {
  readonly q?: string;
  readonly state?: State;
  readonly role?: number;
}

/** The filters in an address, without unknown ones. */
export function readFilters({ q, state, role }: Record<string, unknown>): Filters {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  const known = STATES.find((each) => each === state);
  const number = Number.parseInt(String(role), 10);
  return {
    ...(text === '' ? {} : { q: text }),
    ...(known === undefined ? {} : { state: known }),
    ...(Number.isSafeInteger(number) && number >= 0 ? { role: number } : {}),
  };
}
