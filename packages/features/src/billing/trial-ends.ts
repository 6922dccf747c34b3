import { expireTrials } from '@gatehouse/db';
import type { Kit } from '@gatehouse/features/app/kit';
import type { Job } from '@gatehouse/runtime/jobs/job';

/** Ends the trials of registration that are over. Whoever reads one before this job does sees its end as well. */
export const trialEnds: Job<Kit> = {
  name: 'trial-ends',
  everyMs: 60_000,
  run: (kit) => expireTrials(kit.db, { nowMs: kit.now(), limit: 200 }),
};
