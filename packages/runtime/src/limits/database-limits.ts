import { consumeLimit, type Database, findLimitEnd, refundLimit, removeLimits } from '@gatehouse/db';
import type { LimitStore } from './limit-store.js';

/** Counts in the database with conditional updates, so nodes share limits without another service. */
export function createDatabaseLimits(db: Database, now: () => number): LimitStore {
  return {
    async consume(limit, tx = db) {
      const nowMs = now();
      if (await consumeLimit(tx, { ...limit, nowMs })) return { isAllowed: true };
      const endsAtMs = (await findLimitEnd(tx, limit.key)) ?? nowMs + limit.windowMs;
      return { isAllowed: false, endsInMs: endsAtMs - nowMs };
    },
    refund: ({ key }) => refundLimit(db, { key, nowMs: now() }),
    remove: (prefix, tx = db) => removeLimits(tx, prefix),
    isShared: () => true,
    close: () => Promise.resolve(),
  };
}
