import type { Database } from '@gatehouse/db/database';
import { consumeLimit, findLimit, refundLimit, removeLimits } from '@gatehouse/db/queries/limits';
import type { LimitStore } from './limit-store.js';

/** Counts in the database with conditional updates, so nodes share limits without another service. */
export function createDatabaseLimits(db: Database, now: () => number): LimitStore {
  return {
    async consume(limit, tx = db) {
      const nowMs = now();
      if (await consumeLimit(tx, { ...limit, nowMs })) return { isAllowed: true };
      const endsAtMs = (await findLimit(tx, limit.key))?.endsAtMs ?? nowMs + limit.windowMs;
      return { isAllowed: false, endsInMs: endsAtMs - nowMs };
    },
    async refund(limits, tx = db) {
      const keys = limits.map(({ key }) => key).toSorted();
      for (let at = 0; at < keys.length; at += 2)
        await refundLimit(tx, { key: keys[at] ?? '', other: keys[at + 1], nowMs: now() });
    },
    together: (within, body) => within.together(body),
    async usedUpFor({ key, most }) {
      const { points = 0, endsAtMs } = (await findLimit(db, key)) ?? {};
      const leftMs = (endsAtMs ?? 0) - now();
      return points >= most && leftMs > 0 ? leftMs : undefined;
    },
    remove: (prefix, tx = db) => removeLimits(tx, prefix),
    isShared: () => true,
    close: () => Promise.resolve(),
  };
}
