import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Points used in a window, per key, shared by all nodes. */
export const defineLimits = (v: Vocabulary) =>
  v.table(
    'limits',
    {
      key: v.key(255).primaryKey(),
      points: v.integer(),
      expiresAtMs: v.maybe.instant(),
    },
    [index('removes windows that are over', 'expiresAtMs')],
  );
