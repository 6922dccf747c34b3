import { countSeenMembers } from '@gatehouse/db/queries/count-seen-members';
import { listServiceNodes, reportNode } from '@gatehouse/db/queries/read-statistics';
import { setGauges } from '@gatehouse/db/queries/set-gauges';
import { countLogins, countSignUps, removeOldCounters } from '@gatehouse/db/queries/statistic-counters';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { readInterval } from '../core/access/read-index.js';
import type { Services } from '../core/context.js';
import { MAX_FAILURES_IN_A_ROW, MEMBER_HOLDERS } from '../core/rate-limit/count-attempt.js';

const EVERY_MS = 15_000;

/** A node without a report for this long is not running. */
export const NODE_GONE_MS = 60_000;

/** The row of a node without a report for this long is removed. */
const REMOVED_AFTER_MS = 2 * 3_600_000;

/**
 * Reports that this node runs, and the longest that a call here waited to learn of every earlier revocation. Reads how many nodes
 * there are, whose reads of the database should be spaced.
 */
export const nodeReport: Job<Services> = {
  name: 'node-report',
  everyMs: EVERY_MS,
  async run({ access, config, db, deployment, now }) {
    // A node that gets no calls reports a wait, too.
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

const AT_ONCE = 200;

const DAY_MS = 86_400_000;

/** How long counters are kept, and statistics reach back. */
export const COUNTED_DAYS = 400;

const GAUGES_EVERY_MS = 15_000;

/**
 * Counts what happened since its last turn: sign-ups, sign-ins and seen members. Counting and marking as counted are one
 * transaction, so that everything is counted once, even if a node dies while it counts.
 */
export const statisticsCounting: Job<Services> = {
  name: 'statistics',
  everyMs: 10_000,
  async run(services) {
    const { db, config, now } = services;
    const signUps = await countSignUps(db, AT_ONCE);
    const logins = await countLogins(db, AT_ONCE);
    const seen = await countSeenMembers(db, AT_ONCE);
    const nowMs = now();
    const locks = {
      prefix: MEMBER_HOLDERS,
      fewest: config.LOGIN_FAILURES_PER_MEMBER,
      most: MAX_FAILURES_IN_A_ROW,
    };
    await setGauges(db, locks, { nowMs, everyMs: GAUGES_EVERY_MS });
    const removed = await removeOldCounters(db, {
      beforeMs: nowMs - COUNTED_DAYS * DAY_MS,
      limit: AT_ONCE,
    });
    return signUps + logins + seen + removed;
  },
};
