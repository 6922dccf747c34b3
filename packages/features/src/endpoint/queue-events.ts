import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import {
  countWaiting,
  isQueueFull,
  listEndpointsBehind,
  queueEvents,
} from '@gatehouse/db/queries/event-deliveries';
import { lockEndpoint, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { disableEndpoint } from './disable-endpoint.js';
import { createRests } from './endpoint-rests.js';

const ENDPOINTS_AT_ONCE = 100;

const EVENTS_AT_ONCE = 200;

/** An endpoint gets no more events while so many wait; the rest stays in its feed. */
const MOST_QUEUED = 1_000;

/** An endpoint that is so far behind is disabled. */
const MOST_WAITING = 100_000;

const rests = createRests('event-queue');

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
  if (rests.has(services, id)) return 0;
  try {
    return await queueFor(services, id);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    rests.begin(services, id, error);
    return 0;
  }
}

/** How many places of the feed it went on. */
async function queueFor(services: Services, id: number): Promise<number> {
  const { passed, isDisabled } = await services.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { id });
    if (endpoint?.state !== 'live' || !endpoint.active) return { passed: 0, isDisabled: false };
    if (await isQueueFull(tx, id, MOST_QUEUED)) {
      const isTooMuch = (await countWaiting(tx, endpoint, MOST_WAITING + 1)) > MOST_WAITING;
      if (isTooMuch) await disableEndpoint(tx, services, endpoint, 'backlog');
      return { passed: 0, isDisabled: isTooMuch };
    }
    const position = await queueEvents(tx, endpoint, { limit: EVENTS_AT_ONCE, nowMs: services.now() });
    if (position > endpoint.position) await setEndpoint(tx, id, { position });
    return { passed: position - endpoint.position, isDisabled: false };
  });
  if (isDisabled) services.wakeups.wake('mail');
  return passed;
}
