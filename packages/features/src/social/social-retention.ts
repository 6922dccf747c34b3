import { removeExpiredSocialStates } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';

const AT_ONCE = 500;

/** Removes expired one-use codes of the social flows, with their waiting identities. */
export const socialRetention: Job<Services> = {
  name: 'social-retention',
  everyMs: 60_000,
  run: (services) => removeExpiredSocialStates(services.db, { nowMs: services.now(), limit: AT_ONCE }),
};
