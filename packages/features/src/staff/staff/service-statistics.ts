import { AppError } from '@gatehouse/auth-core';
import {
  type CountedRange,
  countSeenSince,
  listServiceNodes,
  sumCounters,
  sumGauges,
} from '@gatehouse/db/queries/read-statistics';
import { slotOf } from '@gatehouse/db/queries/statistic-counters';
import { z } from 'zod';
import { procedure } from '../../core/guard/procedure.js';
import { COUNTED_DAYS, NODE_GONE_MS } from '../statistics-jobs.js';
import { BUCKETS, isTimeZone, slotRuns, type TimeBucket, timeBuckets } from '../time-buckets.js';

const DAY_MS = 86_400_000;

const MAX_BUCKETS = 400;

const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

const happened = {
  /** New members: registered, invited, or created by a partner, a provider or an import. */
  signUps: z.int(),
  /** Sign-ins by outcome; what was refused for too many attempts is `locked`. */
  logins: z.object({ ok: z.int(), failed: z.int(), locked: z.int() }),
};

const backlog = z.object({ waiting: z.int(), oldestAt: z.iso.datetime().nullable() });

const statisticsView = z.object({
  ...happened,
  /** Members seen since `from`, each once; true to the quarter of an hour. */
  activeMembers: z.int(),
  /** Members who must wait after wrong passwords in a row, now. */
  locked: z.int(),
  mails: backlog,
  /** Null for some accounts: it is not known beforehand which account a delivery is about. */
  webhooks: backlog.nullable(),
  /** The node where a call waited longest to learn of every earlier revocation; null for some accounts. */
  revocations: z
    .object({ slowestMs: z.int(), node: z.string(), service: z.string(), nodes: z.int() })
    .nullable(),
  /** When the current figures were counted; null before the first time. */
  countedAt: z.iso.datetime().nullable(),
  buckets: z
    .array(z.object({ from: z.iso.datetime(), until: z.iso.datetime(), ...happened }))
    .max(MAX_BUCKETS),
});

/**
 * What happened in the service, from counters that a job keeps, split as a clock in a time zone shows it; and the current
 * figures. For the accounts the caller acts in: what happened to their members, who count once in each.
 */
export const statistics = procedure({ who: 'staff', permission: 'audit.read', inAccounts: true })
  .meta({ about: { summary: 'See what happened in the service' } })
  .input(
    z.object({
      /** Inclusive; rounded to the beginning of its bucket. */
      from: instant,
      /** Exclusive; rounded to the end of the last bucket. */
      until: instant,
      zone: z.string().max(64).refine(isTimeZone, 'There is no such time zone').default('UTC'),
      bucket: z.enum(BUCKETS).default('day'),
    }),
  )
  .output(z.object({ data: statisticsView }))
  .query(async ({ ctx, input: { from, until, zone, bucket } }) => {
    const { scope, services } = ctx;
    const { db } = services;
    const nowMs = services.now();
    if (until <= from) throw refusal('until', 'It ends before it begins');
    if (from < nowMs - COUNTED_DAYS * DAY_MS)
      throw refusal('from', `What happened is kept for ${COUNTED_DAYS} days`);
    const range = { fromMs: from, untilMs: until };
    const buckets = timeBuckets(range, { zone, bucket, most: MAX_BUCKETS });
    const [first] = buckets ?? [];
    if (!buckets || !first) throw refusal('bucket', `More than ${MAX_BUCKETS} would be answered`);

    const counted: CountedRange[] = [];
    for (const run of slotRuns(buckets))
      counted.push(
        ...(await sumCounters(db, scope, ['signUp', 'loginOk', 'loginFailed', 'loginLocked'], run)),
      );
    const [activeMembers, gauges, nodes] = await Promise.all([
      countSeenSince(db, scope, slotOf(first.fromMs)),
      sumGauges(db, scope),
      scope.all ? listServiceNodes(db, nowMs - NODE_GONE_MS) : [],
    ]);
    const gauge = (name: string) => gauges.find((each) => each.name === name);
    const waiting = (name: string) => ({
      waiting: gauge(name)?.count ?? 0,
      oldestAt: isoOrNull(gauge(name)?.oldestAtMs),
    });
    const slowest = nodes.toSorted((one, other) => other.slowestMs - one.slowestMs)[0];
    return {
      data: {
        ...sumOf(counted),
        activeMembers,
        locked: gauge('locked')?.count ?? 0,
        mails: waiting('mails'),
        webhooks: scope.all ? waiting('webhooks') : null,
        revocations: slowest
          ? {
              slowestMs: slowest.slowestMs,
              node: slowest.name,
              service: slowest.service,
              nodes: nodes.length,
            }
          : null,
        countedAt: isoOrNull(gauges[0]?.atMs),
        buckets: buckets.map((each) => toBucketView(each, counted)),
      },
    };
  });

function toBucketView({ fromMs, untilMs }: TimeBucket, counted: readonly CountedRange[]) {
  const here = counted.filter(({ fromSlot }) => fromSlot === slotOf(fromMs));
  const times = { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
  return { ...times, ...sumOf(here) };
}

function sumOf(counted: readonly CountedRange[]) {
  const sum = (name: CountedRange['name']) =>
    counted.reduce((total, each) => (each.name === name ? total + each.count : total), 0);
  return {
    signUps: sum('signUp'),
    logins: { ok: sum('loginOk'), failed: sum('loginFailed'), locked: sum('loginLocked') },
  };
}

function refusal(path: string, message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path, message }] });
}

function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
