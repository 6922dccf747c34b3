import { describe, expect, it } from 'vitest';
import { type BucketName, isTimeZone, slotRuns, timeBuckets } from './time-buckets.js';

const HOUR_MS = 3_600_000;

function cut(zone: string, bucket: BucketName, from: string, until: string): string[] {
  const range = { fromMs: Date.parse(from), untilMs: Date.parse(until) };
  const buckets = timeBuckets(range, { zone, bucket, most: 400 }) ?? [];
  for (const [index, { fromMs }] of buckets.entries())
    if (index > 0) expect(fromMs).toBe(buckets[index - 1]?.untilMs);
  return [...buckets.map(({ fromMs }) => fromMs), buckets.at(-1)?.untilMs ?? 0].map((ms) =>
    new Date(ms).toISOString().replace(':00.000Z', 'Z'),
  );
}

describe('the days of a time zone', () => {
  it('have 23 hours when the clocks go forward, and 25 when they go back', () => {
    expect(cut('Europe/Berlin', 'day', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
      '2026-03-27T23:00Z',
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
      '2026-03-30T22:00Z',
    ]);
    expect(cut('Europe/Berlin', 'day', '2026-10-25T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
      '2026-10-26T23:00Z',
    ]);
  });

  it('begin at quarters of an hour, and after midnight when that is skipped', () => {
    expect(cut('Asia/Kathmandu', 'day', '2026-06-01T00:00:00Z', '2026-06-01T20:00:00Z')).toEqual([
      '2026-05-31T18:15Z',
      '2026-06-01T18:15Z',
      '2026-06-02T18:15Z',
    ]);
    // In Beirut the clocks went from midnight to one o'clock.
    expect(cut('Asia/Beirut', 'day', '2024-03-30T12:00:00Z', '2024-03-31T12:00:00Z')).toEqual([
      '2024-03-29T22:00Z',
      '2024-03-30T22:00Z',
      '2024-03-31T21:00Z',
    ]);
    // Havana has two midnights on the day on which the clocks go back from one o'clock.
    expect(cut('America/Havana', 'day', '2025-11-02T12:00:00Z', '2025-11-02T13:00:00Z')).toEqual([
      '2025-11-02T04:00Z',
      '2025-11-03T05:00Z',
    ]);
  });

  it('leave out one that a country skipped', () => {
    expect(cut('Pacific/Apia', 'day', '2011-12-29T12:00:00Z', '2011-12-31T00:00:00Z')).toEqual([
      '2011-12-29T10:00Z',
      '2011-12-30T10:00Z',
      '2011-12-31T10:00Z',
    ]);
  });
});

describe('hours, weeks and months', () => {
  it('continue through a change of the clocks', () => {
    const hours = cut('Europe/Berlin', 'hour', '2026-10-24T23:30:00Z', '2026-10-25T03:00:00Z');
    expect(hours).toEqual([
      '2026-10-24T23:00Z',
      '2026-10-25T00:00Z',
      '2026-10-25T01:00Z',
      '2026-10-25T02:00Z',
      '2026-10-25T03:00Z',
    ]);
    // Lord Howe puts its clocks back by half an hour.
    const halves = cut('Australia/Lord_Howe', 'hour', '2026-04-04T13:15:00Z', '2026-04-04T16:30:00Z');
    expect(halves.length).toBeGreaterThan(3);
    expect(cut('Asia/Kolkata', 'hour', '2026-06-01T00:00:00Z', '2026-06-01T01:00:00Z')).toEqual([
      '2026-05-31T23:30Z',
      '2026-06-01T00:30Z',
      '2026-06-01T01:30Z',
    ]);
  });

  it('begin on Mondays and on the first', () => {
    expect(cut('Europe/Berlin', 'week', '2026-03-25T12:00:00Z', '2026-03-31T12:00:00Z')).toEqual([
      '2026-03-22T23:00Z',
      '2026-03-29T22:00Z',
      '2026-04-05T22:00Z',
    ]);
    expect(cut('America/New_York', 'month', '2026-02-15T00:00:00Z', '2026-03-15T00:00:00Z')).toEqual([
      '2026-02-01T05:00Z',
      '2026-03-01T05:00Z',
      '2026-04-01T04:00Z',
    ]);
  });

  it('cover a year without a gap, at quarters of an hour, in a sample of zones and in those with odd clocks', () => {
    const odd = [
      'Pacific/Chatham',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
      'Asia/Beirut',
    ];
    const some = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 25 === 0);
    for (const zone of [...odd, ...some]) {
      const range = { fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2027, 0, 1) };
      const days = timeBuckets(range, { zone, bucket: 'day', most: 400 }) ?? [];
      const lengths = new Set(days.map(({ fromMs, untilMs }) => (untilMs - fromMs) / HOUR_MS));
      expect([zone, days.length >= 365 && days.length <= 367], zone).toEqual([zone, true]);
      for (const length of lengths) expect([23, 23.5, 24, 24.5, 25], zone).toContain(length);
      for (const { fromMs } of days) expect(fromMs % 900_000, zone).toBe(0);
      expect(slotRuns(days).length, zone).toBeLessThanOrEqual(9);
    }
  });
});

it('a range with more parts than the maximum, or with an unknown zone, is refused', () => {
  const range = { fromMs: 0, untilMs: 100 * HOUR_MS };
  expect(timeBuckets(range, { zone: 'UTC', bucket: 'hour', most: 99 })).toBeUndefined();
  expect(timeBuckets(range, { zone: 'UTC', bucket: 'hour', most: 100 })).toHaveLength(100);
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([
    true,
    false,
    false,
  ]);
});
