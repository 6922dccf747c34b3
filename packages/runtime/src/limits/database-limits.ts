import { type Database, findLimitEnd, giveBackPoint, removeLimits, takePoint } from '@gatehouse/db';
import type { LimitStore } from './limit-store.js';

/** Counts in the database, by conditional updates: no node needs anything else to share them. */
export function createDatabaseLimits(db: Database, now: () => number): LimitStore {
  return {
    async take(limit, tx = db) {
      const nowMs = now();
      if (await takePoint(tx, { ...limit, nowMs })) return { isTaken: true };
      const endsAtMs = (await findLimitEnd(tx, limit.key)) ?? nowMs + limit.windowMs;
      return { isTaken: false, endsInMs: endsAtMs - nowMs };
    },
    giveBack: ({ key }) => giveBackPoint(db, { key, nowMs: now() }),
    remove: (prefix, tx = db) => removeLimits(tx, prefix),
    isShared: () => true,
    close: () => Promise.resolve(),
  };
}
