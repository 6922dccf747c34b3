import { countLogins, removeOldSecurityEvents } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../../core/context.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;
const AT_ONCE = 500;

/** Removes events after 90 days, and refused logins under unknown names after a day. */
export const securityEventRetention: Job<Services> = {
  name: 'security-event-retention',
  everyMs: 600_000,
  async run(services) {
    // What was not counted yet would never be.
    while ((await countLogins(services.db, AT_ONCE)) > 0);
    return removeOldSecurityEvents(services.db, {
      beforeMs: services.now() - KEPT_DAYS * DAY_MS,
      nobodyBeforeMs: services.now() - DAY_MS,
      limit: AT_ONCE,
    });
  },
};
