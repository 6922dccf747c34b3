import type { Me } from './me.js';

/** What somebody is called on the pages: their names, else their username. */
export function shownName({ firstName, lastName, username }: Me['member']): string {
  return `${firstName} ${lastName}`.trim() || username;
}
