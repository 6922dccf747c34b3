import { listServiceNodes, reportNode } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { readInterval } from '../../core/access/read-index.js';
import type { Services } from '../../core/context.js';

const EVERY_MS = 15_000;
/** A node that has said nothing for so long does not run. */
export const NODE_GONE_MS = 60_000;
/** The row of a node that has said nothing for so long is removed. */
const REMOVED_AFTER_MS = 2 * 3_600_000;

/**
 * Says that this node runs, and how long a call here waited at most until it knew of every revocation before it. Learns
 * how many nodes there are, of whose reads the database is to be spared.
 */
export const nodeReport: Job<Services> = {
  name: 'node-report',
  everyMs: EVERY_MS,
  async run({ access, config, db, deployment, now }) {
    // A node that nobody asks has an answer to this, too.
    await access.current();
    const nowMs = now();
    await reportNode(
      db,
      {
        name: deployment.node,
        service: deployment.application === 'admin' ? 'api-admin' : 'api-main',
        slowestMs: Math.ceil(access.takeSlowestMs()),
      },
      { nowMs, goneBeforeMs: nowMs - REMOVED_AFTER_MS },
    );
    const nodes = await listServiceNodes(db, nowMs - NODE_GONE_MS);
    access.spaceReads(readInterval(db.dialect, nodes.length, config.ACCESS_READ_INTERVAL_MS));
    return 0;
  },
};
