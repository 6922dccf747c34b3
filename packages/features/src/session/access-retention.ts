import { pruneAccessChanges, readDatabaseTime, removeExpiredRows } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { FAMILIAR_MS } from '../app/login-limits.js';
import type { Services } from '../app/services.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 1_000;

/**
 * A node whose clock is behind takes a token for so much longer, and a token nobody remembers ending is taken for one of
 * the replaced system.
 */
const MOST_CLOCK_SKEW_MS = DAY_MS;

/** A node that got no request for longer forgets all it remembers, as does one of an older release after half of it. */
const CHANGE_RETENTION_MS = 3_600_000;

/**
 * Removes what has served its time: revocations and sessions whose token has expired on every node, and changes of access.
 * What expires must have done so by this node's clock and by the database's, so that neither alone removes what others
 * still need. The table of revocations stays as large as the tokens that were ended and have not expired for a day. The
 * audit log is not a service's to shorten: `gatehouse prune-audit` does.
 */
export const accessRetention: Job<Services> = {
  name: 'access-retention',
  everyMs: 60_000,
  async run({ db, now }) {
    const nowMs = Math.min(now(), await readDatabaseTime(db));
    const expiry = {
      tokensBeforeMs: nowMs - MOST_CLOCK_SKEW_MS,
      limitsBeforeMs: nowMs,
      familiarityBeforeMs: nowMs - FAMILIAR_MS,
    };
    const expired = await removeExpiredRows(db, expiry, AT_ONCE);
    return expired + (await pruneAccessChanges(db, { olderThanMs: CHANGE_RETENTION_MS, limit: AT_ONCE }));
  },
};
