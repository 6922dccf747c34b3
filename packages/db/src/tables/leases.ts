import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Which node runs a recurring job, and until when. */
export const defineLeases = (v: Vocabulary) =>
  v.table('leases', {
    name: v.key(128).primaryKey(),
    token: v.string(64),
    leaseUntilMs: v.instant(),
    dueAtMs: v.instant(),
    lastRunAtMs: v.maybe.instant(),
  });
