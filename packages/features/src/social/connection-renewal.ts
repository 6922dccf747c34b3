import { listDueConnections } from '@gatehouse/db';
import type { Kit } from '@gatehouse/features/app/kit';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { renewConnection } from './renew-connection.js';

const AT_ONCE = 10;

/** Renews provider tokens before they end. */
export const connectionRenewal: Job<Kit> = {
  name: 'social-renewal',
  everyMs: 30_000,
  async run(kit) {
    const due = await listDueConnections(kit.db, { nowMs: kit.now(), limit: AT_ONCE });
    const renewed = await Promise.all(due.map((id) => renewConnection(kit, id)));
    return renewed.filter(Boolean).length;
  },
};
