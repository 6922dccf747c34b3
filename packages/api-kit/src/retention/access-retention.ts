import { removeExpiredRows } from '@gatehouse/db';
import { CHANGE_RETENTION_MS } from '../access/change-feed.js';
import type { Job } from '../jobs/job.js';
import type { Kit } from '../kit.js';
import { FAMILIAR_MS } from '../limits/login-limits.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 1_000;

/**
 * A node whose clock is behind takes a token for so much longer, and a token nobody remembers ending is taken for one of
 * the replaced system.
 */
const MOST_CLOCK_SKEW_MS = 3_600_000;

/**
 * Removes what has served its time: revocations and sessions whose token has expired on every node, changes that every
 * node has long seen, and audit entries past AUDIT_RETENTION_DAYS. The table of revocations stays as large
 * as the tokens that were ended and have not expired.
 */
export const accessRetention: Job<Kit> = {
  name: 'access-retention',
  everyMs: 60_000,
  run(kit) {
    const nowMs = kit.now();
    const expiry = {
      tokensBeforeMs: nowMs - MOST_CLOCK_SKEW_MS,
      accessChangesBeforeMs: nowMs - CHANGE_RETENTION_MS,
      auditBeforeMs: nowMs - kit.config.AUDIT_RETENTION_DAYS * DAY_MS,
      limitsBeforeMs: nowMs,
      familiarityBeforeMs: nowMs - FAMILIAR_MS,
    };
    return removeExpiredRows(kit.db, expiry, AT_ONCE);
  },
};
