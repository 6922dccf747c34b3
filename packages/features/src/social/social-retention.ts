import { removeExpiredSocialStates } from '@gatehouse/db';
import type { Kit } from '@gatehouse/features/app/kit';
import type { Job } from '@gatehouse/runtime/jobs/job';

const AT_ONCE = 500;

/** Removes one-use codes of the social flows that have expired, with the identities that waited in them. */
export const socialRetention: Job<Kit> = {
  name: 'social-retention',
  everyMs: 60_000,
  run: (kit) => removeExpiredSocialStates(kit.db, { nowMs: kit.now(), limit: AT_ONCE }),
};
