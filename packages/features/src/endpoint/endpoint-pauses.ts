import type { Services } from '../core/context.js';

const PAUSE_MS = 60_000;

/** Remembers on each node what was done for an endpoint within the last minute, and is not to be done again yet. */
export function createPauses() {
  const untilMsOf = new WeakMap<Services, Map<number, number>>();
  return {
    isPaused: (services: Services, endpointId: number): boolean =>
      services.now() < (untilMsOf.get(services)?.get(endpointId) ?? 0),
    pause(services: Services, endpointId: number): void {
      const untilMs = untilMsOf.get(services) ?? new Map<number, number>();
      untilMsOf.set(services, untilMs.set(endpointId, services.now() + PAUSE_MS));
    },
  };
}
