import { index, primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Wrong passwords in a row, per member or unknown login name. Familiar addresses are counted separately. */
export const defineLoginFailures = (v: Vocabulary) =>
  v.table(
    'login_failures',
    {
      holder: v.key(80),
      /** Empty for all unfamiliar addresses together. */
      origin: v.key(64),
      /** Before `failures`: MySQL assigns in this order, and the wait depends on the old count. */
      waitUntilMs: v.instant(),
      failures: v.integer(),
      lastFailureAtMs: v.instant(),
    },
    [
      primary('counts wrong passwords in a row, whatever the node', 'holder', 'origin'),
      index('finds those who may have to wait', 'failures'),
      index('forgets counts that nobody has added to for long', 'lastFailureAtMs'),
    ],
  );
