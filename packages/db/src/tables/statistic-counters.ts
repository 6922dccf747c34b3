import { index, primary } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** What is counted. `seen` counts members by when they were last seen, the others what happened. */
export type StatisticName = 'signUp' | 'loginOk' | 'loginFailed' | 'loginLocked' | 'seen';

/** How often something happened in a quarter of an hour, in the whole service and to the members of each account. */
export const defineStatisticCounters = (v: Vocabulary) =>
  v.table(
    'statistic_counters',
    {
      /** 0 for the whole service. */
      accountId: v.reference(),
      name: v.key(32),
      /** Quarters of an hour since 1970-01-01T00:00:00Z: every time zone begins its days at one. */
      slot: v.integer(),
      count: v.integer(),
    },
    [
      primary('sums a range of time', 'accountId', 'name', 'slot'),
      index('removes counters older than the retention', 'slot'),
    ],
  );
