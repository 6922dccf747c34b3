import type { Filters, State } from './filters.js';

interface AskedFor {
  readonly search?: string;
  readonly state?: State;
  readonly roleType?: number;
}

/** What the service is asked for by the filters of the list. */
export function askedFor({ q, state, role }: Filters): AskedFor {
  return {
    ...(q === undefined ? {} : { search: q.trim().replace(/^#/, '') }),
    ...(state === undefined ? {} : { state }),
    ...(role === undefined ? {} : { roleType: role }),
  };
}
