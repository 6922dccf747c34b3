import { expireTrials } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';

/** Ends the trials of registration that are over. Whoever reads one before this job does sees its end as well. */
export const trialEnds: Job<Services> = {
  name: 'trial-ends',
  everyMs: 60_000,
  run: (services) => expireTrials(services.db, { nowMs: services.now(), limit: 200 }),
};
