import type { Services } from '../core/context.js';

const PAUSE_MS = 60_000;

/** Remembers on each node for a while, a minute by default, what was done for an endpoint, and is not to be done again yet. */
export function createPauses(lastMs = PAUSE_MS) {
  const untilMsOf = new WeakMap<Services, Map<number, number>>();
  return {
    isPaused: (services: Services, endpointId: number): boolean =>
      services.now() < (untilMsOf.get(services)?.get(endpointId) ?? 0),
    pause(services: Services, endpointId: number): void {
      const untilMs = untilMsOf.get(services) ?? new Map<number, number>();
      untilMsOf.set(services, untilMs.set(endpointId, services.now() + lastMs));
    },
  };
}
