import type { MovedKindName } from './moved-kinds.js';

/** The name of a row for an operator. */
export function describeRow(kind: MovedKindName, key: string): string {
  return `${kind === 'personnelAccess' ? 'access of staff' : kind.replace(/s$/, '')} ${key}`;
}
