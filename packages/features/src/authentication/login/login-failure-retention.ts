import { removeOldLoginFailures } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { UNKNOWN_HOLDERS } from '../../core/app/failures-in-a-row.js';
import type { Services } from '../../core/app/services.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 365;
const AT_ONCE = 500;

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
      limit: AT_ONCE,
    }),
};
