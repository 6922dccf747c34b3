import { randomUUID } from 'node:crypto';
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
  run: ({ db }) => sequenceEvents(db, randomUUID(), AT_ONCE),
};

/** Removes events after 30 days. */
export const eventRetention: Job<Services> = {
  name: 'event-retention',
  everyMs: 600_000,
  restsBetweenRuns: true,
  run: ({ db, now }) => removeOldEvents(db, { beforeMs: now() - KEPT_DAYS * DAY_MS, limit: AT_ONCE }),
};
