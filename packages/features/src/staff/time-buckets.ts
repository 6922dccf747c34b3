import type { SlotRun } from '@gatehouse/db/queries/read-statistics';
import { SLOT_MS, slotOf } from '@gatehouse/db/queries/statistic-counters';

/** How a range of time is split. */
export const BUCKETS = ['hour', 'day', 'week', 'month'] as const;

export type BucketName = (typeof BUCKETS)[number];

/** A part of a range, as a clock in its time zone shows it, including days of 23 and of 25 hours. */
export interface TimeBucket {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/**
 * Cuts a range at the beginnings of hours, days, weeks (from Monday) or months in a time zone. The first and the last part reach
 * beyond the range if it does not begin or end at one. Undefined for more than `most`.
 * @param zone the name of a time zone that `Intl` knows
 */
export function timeBuckets(
  { fromMs, untilMs }: TimeBucket,
  { zone, bucket, most }: { zone: string; bucket: BucketName; most: number },
): TimeBucket[] | undefined {
  const clock = createClock(zone);
  const buckets: TimeBucket[] = [];
  let startMs = beginningOf(clock, bucket, fromMs);
  while (startMs < untilMs) {
    const endMs = nextAfter(clock, bucket, startMs);
    buckets.push({ fromMs: startMs, untilMs: endMs });
    if (buckets.length > most) return undefined;
    startMs = endMs;
  }
  return buckets;
}

/** Whether `Intl` knows a time zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    createClock(zone);
    return true;
  } catch {
    return false;
  }
}

/** The time that a clock in a time zone shows at an instant, as the milliseconds at which a clock in UTC shows the same. */
type Clock = (atMs: number) => number;

function createClock(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const shown = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
    const date = [part('year'), part('month') - 1, part('day')] as const;
    return Date.UTC(...date, part('hour'), part('minute'), part('second'));
  };
}

function beginningOf(clock: Clock, bucket: BucketName, atMs: number): number {
  if (bucket === 'hour') {
    const shown = clock(atMs);
    // An instant between two whole seconds shows the first of them.
    const wholeMs = Math.floor(atMs / 1000) * 1000;
    const beganMs = wholeMs - (shown % HOUR_MS);
    return clock(beganMs) === shown - (shown % HOUR_MS)
      ? beganMs
      : firstInstantOf(clock, shown - (shown % HOUR_MS));
  }
  return firstInstantOf(clock, dateOf(bucket, clock(atMs)));
}

function nextAfter(clock: Clock, bucket: BucketName, startMs: number): number {
  if (bucket === 'hour') {
    const laterMs = startMs + HOUR_MS;
    const pastMs = clock(laterMs) % HOUR_MS;
    return laterMs - pastMs;
  }
  // What a clock shows in the middle of the first day is on that day, whatever the offset.
  let date = dateOf(bucket, clock(startMs + HOUR_MS * 2));
  let endMs = startMs;
  while (endMs <= startMs) {
    date = followingDate(bucket, date);
    endMs = firstInstantOf(clock, date);
  }
  return endMs;
}

/** The first date of the day, week or month that contains a clock's time. */
function dateOf(bucket: Exclude<BucketName, 'hour'>, shownMs: number): number {
  const dayMs = Math.floor(shownMs / DAY_MS) * DAY_MS;
  const date = new Date(dayMs);
  switch (bucket) {
    case 'day':
      return dayMs;
    case 'week':
      return dayMs - ((date.getUTCDay() + 6) % 7) * DAY_MS;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
}

function followingDate(bucket: Exclude<BucketName, 'hour'>, dateMs: number): number {
  const date = new Date(dateMs);
  switch (bucket) {
    case 'day':
      return dateMs + DAY_MS;
    case 'week':
      return dateMs + 7 * DAY_MS;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
}

/**
 * The first instant at which a clock shows a time, or a later one if the clock skips it. Searched among quarters of an hour, at
 * which every clock is changed.
 */
function firstInstantOf(clock: Clock, shownMs: number): number {
  // A clock is at most 14 hours ahead, and 12 behind. The two offsets around a change are those of a day before and after.
  const offsets = [shownMs - DAY_MS, shownMs + DAY_MS].map((atMs) => clock(atMs) - atMs);
  const candidates = offsets
    .map((offset) => shownMs - offset)
    .filter((atMs) => clock(atMs) === shownMs)
    .toSorted((one, other) => one - other);
  const [first] = candidates;
  if (first !== undefined) return first;
  let atMs = shownMs - Math.max(...offsets);
  while (clock(atMs) < shownMs) atMs += SLOT_MS;
  return atMs;
}

/** Buckets that follow each other, joined if they are equally long: between two changes of the clocks all days are. */
export function slotRuns(buckets: readonly TimeBucket[]): SlotRun[] {
  const runs: SlotRun[] = [];
  for (const { fromMs, untilMs } of buckets) {
    const slots = (untilMs - fromMs) / SLOT_MS;
    const last = runs.at(-1);
    if (last?.slots === slots) runs[runs.length - 1] = { ...last, untilSlot: slotOf(untilMs) };
    else runs.push({ fromSlot: slotOf(fromMs), untilSlot: slotOf(untilMs), slots });
  }
  return runs;
}
