import { readSearched } from '../address-filters.js';

export const STATES = ['live', 'banned', 'deleting', 'deleted'] as const;
export type State = (typeof STATES)[number];

/** The orders of the list. A leading minus means descending. */
export const SORTS = ['-id', 'id', 'email', '-email', '-lastLogin', 'lastLogin'] as const;
type Sort = (typeof SORTS)[number];

/** The search. It is in the address, so that Back and a link restore it. */
export interface Filters {
  readonly q?: string;
  readonly state?: State;
  readonly role?: number;
  readonly sort?: Sort;
}

/** The filters in an address, without unknown ones. */
export function readFilters({ state, role, sort, ...searched }: Record<string, unknown>): Filters {
  const known = STATES.find((each) => each === state);
  const order = SORTS.find((each) => each === sort);
  const number = Number.parseInt(String(role), 10);
  return {
    ...readSearched(searched),
    ...(known === undefined ? {} : { state: known }),
    ...(Number.isSafeInteger(number) && number >= 0 ? { role: number } : {}),
    ...(order === undefined ? {} : { sort: order }),
  };
}
