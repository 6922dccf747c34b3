import { listLongScimLogs, removeOldScimRequests } from '@gatehouse/db/queries/scim-tokens';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

/** The number of a directory's requests that stay in the log of its account. */
const KEPT = 200;
const ACCOUNTS_AT_ONCE = 20;
const REMOVED_AT_ONCE = 3_000;

/** Removes old requests from the logs of directories. */
export const scimLogPruning: Job<Services> = {
  name: 'scim-log-pruning',
  everyMs: 60_000,
  async run({ db }) {
    const long = await listLongScimLogs(db, { keep: KEPT, limit: ACCOUNTS_AT_ONCE });
    for (const accountId of long)
      await removeOldScimRequests(db, { accountId, keep: KEPT, limit: REMOVED_AT_ONCE });
    return long.length;
  },
};
