import { searchKey } from '@gatehouse/auth-core';
import { indexLastNames, indexNewNames } from '@gatehouse/db/queries/name-search';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

const AT_ONCE = 100;

/**
 * Adds members to the index of usernames and last names that no procedure has added: imported ones, and those
 * older than the index.
 */
export const nameIndexing: Job<Services> = {
  name: 'member.learn-new-names',
  everyMs: 60_000,
  restsBetweenRuns: true,
  run: async ({ db }) =>
    (await indexNewNames(db, AT_ONCE)) + (await indexLastNames(db, { limit: AT_ONCE, keyOf: searchKey })),
};
