import type { Services } from '../core/context.js';
import { eventDelivery } from '../endpoint/deliver-events.js';
import { eventQueue } from '../endpoint/queue-events.js';
import { eventSequence } from '../event/event-jobs.js';

/** Runs the jobs on a node that queue the events of all changes for the endpoints. */
export async function queueAll(services: Services): Promise<void> {
  while ((await eventSequence.run(services)) > 0);
  while ((await eventQueue.run(services)) > 0);
}

/** Runs all jobs of events on a node until nothing is due. */
export async function deliverAll(services: Services): Promise<void> {
  await queueAll(services);
  await eventDelivery.run(services);
}
