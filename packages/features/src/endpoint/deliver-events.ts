import { randomInt } from 'node:crypto';
import { randomId } from '@gatehouse/auth-core';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { listGivenAccountsAbove } from '@gatehouse/db/queries/account-policy';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  findSendingEndpoint,
  listDueEndpoints,
  releaseDeliveries,
  setOutcomes,
} from '@gatehouse/db/queries/event-deliveries';
import { type EndpointRow, lockEndpoint, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { disableEndpoint, tellManagers } from './disable-endpoint.js';
import { createPauses } from './endpoint-pauses.js';
import { isSuccess, type Sent, sendEvent } from './send-event.js';

const MINUTE_MS = 60_000;

const HOUR_MS = 3_600_000;

/** The waits after the failed attempts of a delivery; the last one repeats. */
const WAITS_MS = [
  5_000,
  30_000,
  ...[2, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
];

/** A fifth more or less, so that what failed together is not sent again together. */
const PER_MILLE = { from: 800, until: 1201 };

/** A delivery is given up if its next attempt would come later than this. */
const GIVEN_UP_AFTER_MS = 72 * HOUR_MS;

/** The managers of an endpoint are told when it has failed for so long. */
const TOLD_AFTER_MS = 24 * HOUR_MS;

/** It is disabled when it has failed for so long, and so often. */
const DISABLED_AFTER_MS = 72 * HOUR_MS;

const DISABLED_AFTER_FAILURES = 20;

/** Deliveries of a node that dies are due again after this, which is longer than any attempt. */
const LEASE_MS = 60_000;

/** How many attempts a node makes at once to one endpoint. */
const PLACES_PER_ENDPOINT = 8;

/** To one that keeps failing. */
const PLACES_PER_FAILING_ENDPOINT = 1;

const FAILING_AFTER = 5;

/** To one host. */
const PLACES_PER_HOST = 32;

/** To the endpoints of one account, or of the deployment. */
const PLACES_PER_SCOPE = 64;

const PLACES_PER_NODE = 256;

/** How many deliveries to an endpoint that accepts them a node claims at once. */
const CLAIMED_AT_ONCE = 100;

const ENDPOINTS_AT_ONCE = 500;

/** How often a node that is sending looks for endpoints with something due. */
const LOOK_MS = 250;

/** How long it leaves an endpoint alone whose due events wait for earlier ones. */
const NOTHING_TO_CLAIM_MS = 500;

/** How long one endpoint is served before the others of its host get its places. */
const SERVED_MS = 1_000;

const ATTEMPTS_KEPT = 20;

/** The endpoints that a node leaves alone because it failed at them, so that it goes on with the others. */
const failed = createPauses();

interface Serving {
  readonly host: string;
  readonly scope: string;
  readonly places: number;
  readonly done: Promise<void>;
}

/**
 * Delivers queued events. Endpoints are served beside each other, so that a slow one holds up no other. The turn ends when nothing
 * is due. A service that stops finishes what it has sent, and claims no more.
 */
export const eventDelivery: Job<Services> = {
  name: 'event-delivery',
  everyMs: 500,
  async run(services) {
    const serving = new Map<number, Serving>();
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
    const begin = (id: number, place: Omit<Serving, 'done'>) => {
      served.delete(id);
      served.add(id);
      const done = serveEndpoint(services, id, place.places)
        .then((made) => {
          attempts += made;
          if (made === 0) restsUntilMs.set(id, performance.now() + NOTHING_TO_CLAIM_MS);
        })
        .catch((error: unknown) => fail(id, error))
        .finally(() => serving.delete(id));
      serving.set(id, { ...place, done });
    };
    try {
      while (faults.length === 0 && !services.stopping.signal.aborted) {
        let isIdle = true;
        for (const { id, url, scope, failures } of inTurn(await listAllDue(services), served)) {
          if (serving.has(id) || failed.isPaused(services, id)) continue;
          if (performance.now() < (restsUntilMs.get(id) ?? 0)) continue;
          try {
            const host = hostOf(url);
            const places = Math.min(placesOf(failures), freePlaces(serving, { host, scope }));
            if (places > 0) begin(id, { host, scope, places });
            isIdle = false;
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

/** The host that shares places: one name on all ports, with or without the dot of the root. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

const placesOf = (failures: number): number =>
  failures >= FAILING_AFTER ? PLACES_PER_FAILING_ENDPOINT : PLACES_PER_ENDPOINT;

function freePlaces(
  serving: ReadonlyMap<number, Serving>,
  { host, scope }: Pick<Serving, 'host' | 'scope'>,
): number {
  let ofNode = PLACES_PER_NODE;
  let ofScope = PLACES_PER_SCOPE;
  let ofHost = PLACES_PER_HOST;
  for (const each of serving.values()) {
    ofNode -= each.places;
    if (each.scope === scope) ofScope -= each.places;
    if (each.host === host) ofHost -= each.places;
  }
  return Math.min(ofHost, ofScope, ofNode);
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

/** Sends what is due to an endpoint, for a while. Returns how many attempts it made. */
async function serveEndpoint(services: Services, id: number, places: number): Promise<number> {
  const { db, now, stopping } = services;
  const endMs = performance.now() + SERVED_MS;
  const isOver = () => performance.now() >= endMs || stopping.signal.aborted;
  let made = 0;
  while (!isOver()) {
    const endpoint = await findSendingEndpoint(db, id);
    if (endpoint === undefined) break;
    const nowMs = now();
    const leaseToken = randomId();
    const inFlight = Math.min(places, placesOf(endpoint.failures));
    const limit = endpoint.failures === 0 ? CLAIMED_AT_ONCE : inFlight;
    const lease = { leaseToken, leaseUntilMs: nowMs + LEASE_MS, limit, nowMs };
    const claimed = await claimDeliveries(db, id, lease);
    if (claimed.length === 0) break;
    const tries: Try[] = [];
    try {
      await sendClaimed(services, endpoint, claimed, { inFlight, isOver, tries });
    } finally {
      const unsentIds = claimed.slice(tries.length).map((delivery) => delivery.id);
      await record(services, endpoint, { leaseToken, tries, unsentIds });
    }
    made += tries.length;
  }
  return made;
}

/**
 * Sends claimed deliveries until time is over, one fails, or the endpoint may get nothing more.
 * @param inFlight how many at once
 * @param tries gets what was sent, also if the database fails in between
 */
async function sendClaimed(
  services: Services,
  endpoint: EndpointRow,
  claimed: readonly ClaimedDelivery[],
  { inFlight, isOver, tries }: { inFlight: number; isOver: () => boolean; tries: Try[] },
): Promise<void> {
  let current: EndpointRow | undefined = endpoint;
  while (current !== undefined) {
    const batch = claimed.slice(tries.length, tries.length + inFlight);
    tries.push(...(await sendBatch(services, current, batch)));
    const isWhole = tries.length === claimed.length;
    if (isWhole || isOver() || tries.some(({ sent }) => sent && !isSuccess(sent))) break;
    // Read each time: an endpoint that was removed or disabled, or whose account was closed, gets nothing more.
    current = await findSendingEndpoint(services.db, endpoint.id);
  }
}

/** Sends deliveries at once. An endpoint of the deployment gets no events of accounts that ask for more than its level. */
async function sendBatch(
  services: Services,
  endpoint: EndpointRow,
  batch: readonly ClaimedDelivery[],
): Promise<Try[]> {
  const { accountId, level } = endpoint;
  const ofAccounts = batch.flatMap(({ event }) => event?.accountId ?? []);
  const session = { level, nowMs: services.now() };
  const hidden = accountId === null ? await listGivenAccountsAbove(services.db, ofAccounts, session) : [];
  const isShown = ({ event }: ClaimedDelivery) =>
    event !== null && (event.accountId === null || !hidden.includes(event.accountId));
  return Promise.all(batch.map((delivery) => tryDelivery(services, endpoint, delivery, isShown(delivery))));
}

/** A claimed delivery, the attempt (none if it may not be sent any more), and its outcome. */
interface Try {
  readonly delivery: ClaimedDelivery;
  readonly sent: Sent | undefined;
  readonly outcome: DeliveryOutcome;
}

/** Sends a delivery. One with a broken row is given up, so that the outcomes of the others are still stored. */
async function tryDelivery(
  services: Services,
  endpoint: EndpointRow,
  delivery: ClaimedDelivery,
  isShown: boolean,
): Promise<Try> {
  const { id, failures, event } = delivery;
  let sent: Sent | undefined;
  try {
    if (event !== null && isShown) sent = await sendEvent(services, endpoint, event);
    return { delivery, sent, outcome: outcomeOf(delivery, sent, services.now()) };
  } catch (error) {
    services.log.failure(`job event-delivery, delivery ${id}`, error);
    return { delivery, sent, outcome: { id, state: 'failed', failures, attempts: [] } };
  }
}

/** Stores the outcomes of a claim, and then the health of the endpoint, whose failure must not undo the outcomes. */
async function record(
  services: Services,
  endpoint: EndpointRow,
  {
    leaseToken,
    tries,
    unsentIds,
  }: { leaseToken: string; tries: readonly Try[]; unsentIds: readonly number[] },
): Promise<void> {
  const { db, metrics } = services;
  const outcomes = tries.map(({ outcome }) => outcome);
  await db.transaction(async (tx) => {
    await lockEndpoint(tx, endpoint);
    await setOutcomes(tx, leaseToken, outcomes);
    await releaseDeliveries(tx, leaseToken, unsentIds);
  });
  for (const { delivery, outcome } of tries) {
    const { state, deliveredAtMs } = outcome;
    metrics.countEventDelivery(state === 'pending' ? 'postponed' : state);
    if (deliveredAtMs !== undefined && delivery.event)
      metrics.observeEventDelay((deliveredAtMs - delivery.event.atMs) / 1000);
  }
  const hasMailed = await db.transaction(async (tx) => {
    const current = await lockEndpoint(tx, endpoint);
    // After a change of its address the attempts say nothing of the new one.
    if (current?.url !== endpoint.url || current.state !== 'live') return false;
    return recordHealth(tx, services, current, tries);
  });
  if (hasMailed) services.wakeups.wake('mail');
}

function outcomeOf(
  { id, failures, attempts, queuedAtMs }: ClaimedDelivery,
  sent: Sent | undefined,
  nowMs: number,
): DeliveryOutcome {
  if (sent === undefined) return { id, state: 'skipped', failures, attempts };
  const { retryAfterMs = 0, ...made } = sent;
  const all = [...attempts, made].slice(-ATTEMPTS_KEPT);
  if (isSuccess(sent)) return { id, state: 'delivered', failures, attempts: all, deliveredAtMs: nowMs };
  const failed = { id, failures: failures + 1, attempts: all };
  const dueAtMs = nowMs + Math.max(retryWaitMs(failures + 1), retryAfterMs);
  if (dueAtMs > queuedAtMs + GIVEN_UP_AFTER_MS) return { ...failed, state: 'failed' };
  return { ...failed, state: 'pending', dueAtMs };
}

/**
 * The wait before the next attempt, in milliseconds.
 * @param failures of the delivery so far, from 1
 */
export function retryWaitMs(failures: number): number {
  const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;
  return Math.round((waitMs * randomInt(PER_MILLE.from, PER_MILLE.until)) / 1000);
}

/** Whether it wrote mails. */
async function recordHealth(
  tx: Parameters<typeof setEndpoint>[0],
  services: Services,
  endpoint: EndpointRow,
  tries: readonly Try[],
): Promise<boolean> {
  const sent = tries.flatMap((each) => each.sent ?? []);
  if (sent.length === 0) return false;
  const nowMs = services.now();
  const isGone = sent.some(({ status }) => status === 410);
  if (!isGone && sent.some(isSuccess)) {
    const healthy = { failures: 0, failingSinceMs: null, notifiedAtMs: null, lastSuccessAtMs: nowMs };
    await setEndpoint(tx, endpoint.id, healthy);
    return false;
  }
  const failures = endpoint.failures + sent.filter((each) => !isSuccess(each)).length;
  const failingSinceMs = endpoint.failingSinceMs ?? nowMs;
  const failingMs = nowMs - failingSinceMs;
  const failing = { ...endpoint, failures, failingSinceMs };
  await setEndpoint(tx, endpoint.id, { failures, failingSinceMs });
  if (isGone) {
    await disableEndpoint(tx, services, failing, 'gone');
    return true;
  }
  if (failingMs >= DISABLED_AFTER_MS && failures >= DISABLED_AFTER_FAILURES) {
    await disableEndpoint(tx, services, failing, 'failing');
    return true;
  }
  if (failingMs < TOLD_AFTER_MS || endpoint.notifiedAtMs !== null) return false;
  await setEndpoint(tx, endpoint.id, { notifiedAtMs: nowMs });
  await tellManagers(tx, services, failing, null);
  return true;
}
