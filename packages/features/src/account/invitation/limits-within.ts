import type { Database } from '@gatehouse/db';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';

/** Counters for `enforceLimit` that are part of a transaction. */
export function limitsWithin(
  tx: Database,
  { limits }: { readonly limits: LimitStore },
): { readonly limits: Pick<LimitStore, 'consume'> } {
  return { limits: { consume: (limit) => limits.consume(limit, tx) } };
}
