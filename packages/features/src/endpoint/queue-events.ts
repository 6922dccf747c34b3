import type { Database } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { type EndpointRow, lockEndpoint, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import {
  countWaiting,
  isQueueFull,
  listEndpointsBehind,
  queueEvents,
} from '@gatehouse/db/queries/queue-events';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { disableEndpoint } from './disable-endpoint.js';
import { createPauses } from './endpoint-pauses.js';

const ENDPOINTS_AT_ONCE = 100;

const EVENTS_AT_ONCE = 200;

/** While this many events of an endpoint wait, no more are queued for it; the rest stays in its feed. */
const MOST_QUEUED = 1_000;

/** An endpoint for which more events wait, queued or in its feed, is disabled. */
const MOST_WAITING = 100_000;

/** The endpoints that a node skips because it failed at them, so that it continues with the others. */
const failed = createPauses();

/** The endpoints whose events a node has counted, which reads up to `MOST_WAITING` rows. */
const counted = createPauses();

/** Queues the events of each endpoint's feed for it, in their order. */
export const eventQueue: Job<Services> = {
  name: 'event-queue',
  everyMs: 500,
  async run(services) {
    let queued = 0;
    for (let afterId: number | undefined = 0; afterId !== undefined; ) {
      const behind: number[] = await listEndpointsBehind(services.db, { afterId, limit: ENDPOINTS_AT_ONCE });
      for (const id of behind) queued += await tryQueueFor(services, id);
      afterId = behind.length < ENDPOINTS_AT_ONCE ? undefined : behind.at(-1);
    }
    if (queued > 0) services.wakeups.wake('event-delivery');
    return queued;
  },
};

async function tryQueueFor(services: Services, id: number): Promise<number> {
  if (failed.isPaused(services, id)) return 0;
  try {
    return await queueFor(services, id);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    services.log.failure(`job event-queue, endpoint ${id}`, error);
    failed.pause(services, id);
    return 0;
  }
}

/** Returns how many places of the feed it advanced. */
async function queueFor(services: Services, id: number): Promise<number> {
  const { passed, isDisabled } = await services.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { id });
    if (endpoint?.state !== 'live' || !endpoint.active) return { passed: 0, isDisabled: false };
    if (await isTooFarBehind(tx, services, endpoint)) {
      await disableEndpoint(tx, services, endpoint, 'backlog');
      return { passed: 0, isDisabled: true };
    }
    if (await isQueueFull(tx, id, MOST_QUEUED)) return { passed: 0, isDisabled: false };
    const position = await queueEvents(tx, endpoint, { limit: EVENTS_AT_ONCE, nowMs: services.now() });
    if (position > endpoint.position) await setEndpoint(tx, id, { position });
    return { passed: position - endpoint.position, isDisabled: false };
  });
  if (isDisabled) services.wakeups.wake('mail');
  return passed;
}

async function isTooFarBehind(tx: Database, services: Services, endpoint: EndpointRow): Promise<boolean> {
  if (counted.isPaused(services, endpoint.id)) return false;
  counted.pause(services, endpoint.id);
  const limits = { limit: MOST_WAITING + 1, nowMs: services.now() };
  return (await countWaiting(tx, endpoint, limits)) > MOST_WAITING;
}
