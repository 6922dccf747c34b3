import { primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Something of which there are so many at a moment. */
export type GaugeName = 'locked' | 'mails' | 'webhooks';

/** How much there was of something when it was last counted, in the whole service and of the members of each account. */
export const defineStatisticGauges = (v: Vocabulary) =>
  v.table(
    'statistic_gauges',
    {
      /** 0 for the whole service. */
      accountId: v.reference(),
      name: v.key(32),
      count: v.integer(),
      /** Since when the oldest of them waits. */
      oldestAtMs: v.maybe.instant(),
      atMs: v.instant(),
    },
    [primary('reads the gauges of an account', 'accountId', 'name')],
  );
