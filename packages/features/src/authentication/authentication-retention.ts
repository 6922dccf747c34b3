import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { removeOldLoginFailures } from '@gatehouse/db/queries/login-failures';
import { removeExpiredRows } from '@gatehouse/db/queries/remove-expired-rows';
import { pruneAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { UNKNOWN_HOLDERS } from '../core/rate-limit/count-attempt.js';
import { DEVICE_MS } from '../core/rate-limit/known-device.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 1_000;

/**
 * How much longer a node whose clock is behind may accept a token. If an ended token were forgotten, it would
 * look like one of the replaced system.
 */
const MAX_CLOCK_SKEW_MS = DAY_MS;

/** A node without requests for longer clears its cache. */
const CHANGE_RETENTION_MS = 3_600_000;

/**
 * Removes expired data: revocations and sessions whose token has expired on every node, and old access
 * changes. Expiry is checked by this node's clock and the database's, so that a wrong clock alone removes
 * nothing that others need. Revocations are kept until a day after their token has expired. Only `gatehouse
 * prune-audit` shortens the audit log.
 */
export const accessRetention: Job<Services> = {
  name: 'access-retention',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, now }) {
    const nowMs = Math.min(now(), await readDatabaseTime(db));
    const expiry = {
      tokensBeforeMs: nowMs - MAX_CLOCK_SKEW_MS,
      limitsBeforeMs: nowMs,
      familiarityBeforeMs: nowMs - DEVICE_MS,
    };
    const expired = await removeExpiredRows(db, expiry, AT_ONCE);
    return expired + (await pruneAccessChanges(db, { olderThanMs: CHANGE_RETENTION_MS, limit: AT_ONCE }));
  },
};

const KEPT_DAYS = 365;
const FAILURES_AT_ONCE = 500;

/**
 * Removes failures in a row after a year, unless they lock a member. Unknown login names are locked like known
 * ones, and would otherwise stay forever.
 */
export const loginFailureRetention: Job<Services> = {
  name: 'login-failure-retention',
  everyMs: 3_600_000,
  run: (services) =>
    removeOldLoginFailures(services.db, {
      unknownPrefix: UNKNOWN_HOLDERS,
      beforeMs: services.now() - KEPT_DAYS * DAY_MS,
      limit: FAILURES_AT_ONCE,
    }),
};
