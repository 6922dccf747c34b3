import { searchKey } from '@gatehouse/auth-core';
import { indexLastNames, indexNewNames } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';

const AT_ONCE = 100;

/**
 * Makes members findable by any text in the username or last name who came by no procedure: those that were there before the
 * search, and those an import has brought.
 */
export const nameIndexing: Job<Services> = {
  name: 'member.learn-new-names',
  everyMs: 60_000,
  run: async ({ db }) =>
    (await indexNewNames(db, AT_ONCE)) + (await indexLastNames(db, { limit: AT_ONCE, keyOf: searchKey })),
};
