import { countLogins, countSeenMembers, countSignUps, removeOldCounters, setGauges } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../../core/context.js';
import { MEMBER_HOLDERS, MOST_FAILURES_IN_A_ROW } from '../../core/rate-limit/count-attempt.js';

const AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** How long counters are kept, and statistics reach back. */
export const COUNTED_DAYS = 400;
const GAUGES_EVERY_MS = 15_000;

/**
 * Counts what happened since its last turn: sign-ups, sign-ins and whom was seen. What is counted is marked in the same
 * transaction, so that everything counts once, whatever node counts it and dies.
 */
export const statisticsCounting: Job<Services> = {
  name: 'statistics',
  everyMs: 10_000,
  async run(services) {
    const { db, config, now } = services;
    const signUps = await countSignUps(db, AT_ONCE);
    const logins = await countLogins(db, AT_ONCE);
    const seen = await countSeenMembers(db, AT_ONCE);
    const nowMs = now();
    const locks = {
      prefix: MEMBER_HOLDERS,
      fewest: config.LOGIN_FAILURES_PER_MEMBER,
      most: MOST_FAILURES_IN_A_ROW,
    };
    await setGauges(db, locks, { nowMs, everyMs: GAUGES_EVERY_MS });
    const removed = await removeOldCounters(db, {
      beforeMs: nowMs - COUNTED_DAYS * DAY_MS,
      limit: AT_ONCE,
    });
    return signUps + logins + seen + removed;
  },
};
