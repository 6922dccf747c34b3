import { expireTrials } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';

/** Ends expired registration trials. Readers see the end even before this job runs. */
export const trialEnds: Job<Services> = {
  name: 'trial-ends',
  everyMs: 60_000,
  run: (services) => expireTrials(services.db, { nowMs: services.now(), limit: 200 }),
};
