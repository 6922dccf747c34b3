import { indexNewNames } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';

const AT_ONCE = 100;

/**
 * Makes members findable by any text in the username who came by no procedure: those that were there before the
 * search, and those an import has brought.
 */
export const nameIndexing: Job<Services> = {
  name: 'member.learn-new-names',
  everyMs: 60_000,
  run: ({ db }) => indexNewNames(db, AT_ONCE),
};
