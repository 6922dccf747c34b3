import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { continueRedelivery, listRedelivering } from '@gatehouse/db/queries/redeliveries';
import type { Redelivery } from '@gatehouse/db/tables/event-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { moment, toMoment } from './endpoint-fields.js';
import { createPauses } from './endpoint-pauses.js';

const ENDPOINTS_AT_ONCE = 100;

/** The endpoints that a node skips because it failed at them, so that it continues with the others. */
const failed = createPauses();

/** Queues the deliveries again that were requested again, a part of each endpoint's at a time. */
export const eventRedelivery: Job<Services> = {
  name: 'event-redelivery',
  everyMs: 2_000,
  async run(services) {
    let queued = 0;
    for (let afterId: number | undefined = 0; afterId !== undefined; ) {
      const ids: number[] = await listRedelivering(services.db, { afterId, limit: ENDPOINTS_AT_ONCE });
      for (const id of ids) queued += await tryContinue(services, id);
      afterId = ids.length < ENDPOINTS_AT_ONCE ? undefined : ids.at(-1);
    }
    if (queued > 0) services.wakeups.wake('event-delivery');
    return queued;
  },
};

async function tryContinue(services: Services, id: number): Promise<number> {
  if (failed.isPaused(services, id)) return 0;
  try {
    return (await continueRedelivery(services.db, id, services.now())).queued;
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    services.log.failure(`job event-redelivery, endpoint ${id}`, error);
    failed.pause(services, id);
    return 0;
  }
}

export const redeliveryView = z.object({
  from: moment,
  to: moment,
  /** `stopped` if the endpoint was switched off or disabled during it. */
  state: z.enum(['running', 'done', 'stopped']),
  /** How many deliveries are queued again. */
  count: z.int(),
  startedAt: moment,
  endedAt: moment.nullable(),
});

export function toRedeliveryView(row: Redelivery): z.output<typeof redeliveryView> {
  const { fromMs, toMs, state, count, startedAtMs, endedAtMs } = row;
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    state,
    count,
    startedAt: new Date(startedAtMs).toISOString(),
    endedAt: toMoment(endedAtMs),
  };
}
