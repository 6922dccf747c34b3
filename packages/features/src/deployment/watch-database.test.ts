import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseStatistics } from '@gatehouse/db/database';
import { expect, it } from 'vitest';
import { watchDatabase } from './watch-database.js';

it('an outage of the database logs one line a minute for each reason, however often it occurs, and one at its end', async () => {
  const statistics: DatabaseStatistics = { reads: 0, writes: 0, unavailable: new Map() };
  const lines: string[] = [];
  let nowMs = 0;
  let isAway = false;
  const watch = watchDatabase(
    { statistics, isFull: () => isAway, ping: () => Promise.resolve() },
    {
      log: {
        warning: (event, { reason, count, detail }) =>
          void lines.push(`${event} ${reason} ${count} ${detail}`),
        notice: (event, fields) => void lines.push(`${event} ${fields?.count} ${fields?.durationMs}`),
      },
      url: 'file:/data/g.db',
      lookEveryMs: 1,
      monotonicNow: () => nowMs,
    },
  );
  const looked = () => pause(20);
  try {
    await looked();
    expect(lines).toEqual([]);
    isAway = true;
    statistics.unavailable.set('full', { count: 3, code: 'SQLITE_FULL' });
    await looked();
    statistics.unavailable.set('full', { count: 500, code: 'SQLITE_FULL' });
    nowMs = 59_999;
    await looked();
    expect(lines).toEqual([
      'database.unavailable full 3 The database /data/g.db has no room left, and keeps nothing new (SQLITE_FULL): free or add space on its disk.',
    ]);
    statistics.unavailable.set('busy', { count: 1, code: undefined });
    nowMs = 60_000;
    await looked();
    expect(lines.slice(1).map((line) => line.split(' ', 3).join(' '))).toEqual([
      'database.unavailable full 497',
      'database.unavailable busy 1',
    ]);
    nowMs = 600_000;
    await looked();
    expect(lines).toHaveLength(3);
    nowMs = 630_000;
    statistics.unavailable.set('busy', { count: 8, code: undefined });
    await looked();
    statistics.unavailable.set('busy', { count: 10, code: undefined });
    await looked();
    isAway = false;
    await looked();
    nowMs = 700_000;
    await looked();
    expect(lines.slice(3).map((line) => line.split(' ', 3).join(' '))).toEqual([
      'database.unavailable busy 7',
      'database.available 2 630000',
    ]);
    statistics.unavailable.set('unmigrated', { count: 1, code: 'ER_NO_SUCH_TABLE' });
    await looked();
    await looked();
    expect(lines.slice(5).map((line) => line.split(' ', 3).join(' '))).toEqual([
      'database.unavailable unmigrated 1',
    ]);
  } finally {
    watch.close();
  }
});
