import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { listDueEndpoints } from '@gatehouse/db/queries/event-deliveries';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { freePlaces, hostOf, isFailing, type Places, placesOf } from './delivery-places.js';
import { createPauses } from './endpoint-pauses.js';
import { serveEndpoint } from './serve-endpoint.js';

interface Serving extends Places {
  readonly done: Promise<void>;
}

const ENDPOINTS_AT_ONCE = 500;

/** How often a node that is sending looks for endpoints with something due. */
const LOOK_MS = 250;

/** How long a node skips an endpoint whose due events wait for earlier ones. */
const NOTHING_TO_CLAIM_MS = 500;

/** The wait between the attempts to an endpoint that keeps failing while others are due: an attempt costs more than a delivery. */
const FAILING_REST_MS = 500;

/** An endpoint is slow after a turn that took longer than this, which is more than a turn takes at one that answers. */
const SLOW_MS = 2_500;

/** How long an endpoint then counts as slow. */
const SLOW_FOR_MS = 600_000;

/** The endpoints that were slow lately. */
const slow = createPauses(SLOW_FOR_MS);

/** The endpoints that a node skips because it failed at them, so that it continues with the others. */
const failed = createPauses();

/**
 * Delivers queued events. Endpoints are served concurrently, so that a slow one does not hold up others. The turn ends
 * when nothing is due. A service that stops finishes what it has sent, and claims nothing more.
 */
export const eventDelivery: Job<Services> = {
  name: 'event-delivery',
  everyMs: 500,
  async run(services) {
    const serving = new Map<number, Serving>();
    const pausedUntilMs = new Map<number, number>();
    const restsUntilMs = new Map<number, number>();
    const faults: unknown[] = [];
    let attempts = 0;
    /** The endpoints that were served, the least recently served first. */
    const served = new Set<number>();
    const fail = (id: number, error: unknown) => {
      if (error instanceof DatabaseUnavailableError) {
        faults.push(error);
        return;
      }
      services.log.failure(`job event-delivery, endpoint ${id}`, error);
      failed.pause(services, id);
    };
    const begin = ({ id, failures }: Due, held: Places) => {
      served.delete(id);
      served.add(id);
      const startMs = performance.now();
      const done = serveEndpoint(services, id, held.places)
        .then((made) => {
          attempts += made;
          if (performance.now() - startMs > SLOW_MS) slow.pause(services, id);
          if (made === 0) pausedUntilMs.set(id, performance.now() + NOTHING_TO_CLAIM_MS);
          else if (isFailing(failures)) restsUntilMs.set(id, performance.now() + FAILING_REST_MS);
        })
        .catch((error: unknown) => fail(id, error))
        .finally(() => serving.delete(id));
      serving.set(id, { ...held, done });
    };
    try {
      while (faults.length === 0 && !services.stopping.signal.aborted) {
        let isIdle = true;
        const all = await listAllDue(services);
        for (const due of inTurn(all, served)) {
          const { id, url, failures } = due;
          if (serving.has(id) || failed.isPaused(services, id)) continue;
          if (performance.now() < (pausedUntilMs.get(id) ?? 0)) continue;
          isIdle = false;
          const isAlone = all.length === 1 && serving.size === 0;
          if (!isAlone && performance.now() < (restsUntilMs.get(id) ?? 0)) continue;
          try {
            const asked = { host: hostOf(url), isSlow: slow.isPaused(services, id) };
            const places = Math.min(placesOf(failures), freePlaces(serving.values(), asked));
            if (places > 0) begin(due, { ...asked, places });
          } catch (error) {
            fail(id, error);
          }
        }
        if (isIdle && serving.size === 0) break;
        await anyOf(serving);
      }
    } finally {
      await Promise.all([...serving.values()].map(({ done }) => done));
    }
    if (faults.length > 0) throw faults[0];
    return attempts;
  },
};

type Due = Awaited<ReturnType<typeof listDueEndpoints>>[number];

async function listAllDue({ db, now, stopping }: Services): Promise<Due[]> {
  const all: Due[] = [];
  for (let afterId: number | undefined = 0; afterId !== undefined && !stopping.signal.aborted; ) {
    const page: Due[] = await listDueEndpoints(db, { afterId, limit: ENDPOINTS_AT_ONCE, nowMs: now() });
    all.push(...page);
    afterId = page.length < ENDPOINTS_AT_ONCE ? undefined : page.at(-1)?.id;
  }
  return all;
}

/** Endpoints not served yet first, then the least recently served. */
function inTurn(due: readonly Due[], served: ReadonlySet<number>): Due[] {
  const places = new Map([...served].map((id, at) => [id, at + 1]));
  return due.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

/** Resolves when one of them is done, and after a while at the latest. */
async function anyOf(serving: ReadonlyMap<number, Serving>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS);
  });
  await Promise.race([pause, ...[...serving.values()].map(({ done }) => done)]);
  clearTimeout(timer);
}
