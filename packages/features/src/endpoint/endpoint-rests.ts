import type { Services } from '../core/context.js';

const REST_MS = 60_000;

/** The endpoints that a job leaves alone on a node for a minute because it failed at them, so that it goes on with the others. */
export function createRests(job: string) {
  const untilMsOf = new WeakMap<Services, Map<number, number>>();
  return {
    has: (services: Services, endpointId: number): boolean =>
      services.now() < (untilMsOf.get(services)?.get(endpointId) ?? 0),
    begin(services: Services, endpointId: number, error: unknown): void {
      services.log.failure(`job ${job}, endpoint ${endpointId}`, error);
      const untilMs = untilMsOf.get(services) ?? new Map<number, number>();
      untilMsOf.set(services, untilMs.set(endpointId, services.now() + REST_MS));
    },
  };
}
