import { listDueConnections } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';
import { renewConnection } from './renew-connection.js';

const AT_ONCE = 10;

/** Renews provider tokens before they expire. */
export const connectionRenewal: Job<Services> = {
  name: 'social-renewal',
  everyMs: 30_000,
  async run(services) {
    const due = await listDueConnections(services.db, { nowMs: services.now(), limit: AT_ONCE });
    const renewed = await Promise.all(due.map((id) => renewConnection(services, id)));
    return renewed.filter(Boolean).length;
  },
};
