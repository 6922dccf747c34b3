import { removeExpiredSocialStates } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';

const AT_ONCE = 500;

/** Removes one-use codes of the social flows that have expired, with the identities that waited in them. */
export const socialRetention: Job<Services> = {
  name: 'social-retention',
  everyMs: 60_000,
  run: (services) => removeExpiredSocialStates(services.db, { nowMs: services.now(), limit: AT_ONCE }),
};
