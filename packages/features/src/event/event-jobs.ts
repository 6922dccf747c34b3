import { randomUUID } from 'node:crypto';
import { removeDeliveriesOfGone, removeOldDeliveries } from '@gatehouse/db/queries/delivery-log';
import { removeOldEvents, sequenceEvents } from '@gatehouse/db/queries/events';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

const AT_ONCE = 200;

const DAY_MS = 86_400_000;

/** How long events can be read. */
const KEPT_DAYS = 30;

/** Gives committed events their places in the feed. */
export const eventSequence: Job<Services> = {
  name: 'event-sequence',
  everyMs: 500,
  async run({ db, wakeups }) {
    const placed = await sequenceEvents(db, randomUUID(), AT_ONCE);
    if (placed > 0) wakeups.wake('event-queue');
    return placed;
  },
};

/** Removes events and their deliveries after 30 days, and the deliveries of endpoints that are gone. */
export const eventRetention: Job<Services> = {
  name: 'event-retention',
  everyMs: 600_000,
  restsBetweenRuns: true,
  async run({ db, now }) {
    const old = { beforeMs: now() - KEPT_DAYS * DAY_MS, limit: AT_ONCE };
    const removed = (await removeOldEvents(db, old)) + (await removeOldDeliveries(db, old));
    // This reads a row for each endpoint, so it waits until nothing old is left.
    return removed > 0 ? removed : removeDeliveriesOfGone(db, AT_ONCE);
  },
};
