import { randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listGivenAccountsAbove } from '@gatehouse/db/queries/account-policy';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  listClaimed,
  releaseDeliveries,
  setOutcomes,
} from '@gatehouse/db/queries/event-deliveries';
import { type EndpointRow, findSendingEndpoint, lockEndpoint } from '@gatehouse/db/queries/event-endpoints';
import type { Services } from '../core/context.js';
import { outcomeOf } from './delivery-outcome.js';
import { placesOf } from './delivery-places.js';
import { isDeployment } from './endpoint-scope.js';
import { recordHealth } from './record-health.js';
import { isSuccess, type Sent, sendEvent } from './send-event.js';

/** Deliveries of a node that dies are due again after this, which is longer than any attempt. */
const LEASE_MS = 60_000;

/** How many deliveries to an endpoint that accepts them a node claims at once. */
const CLAIMED_AT_ONCE = 100;

/** How long one endpoint is served before the others of its host get its places. */
const SERVED_MS = 1_000;

/** Sends what is due to an endpoint, for a while. Returns how many attempts it made. */
export async function serveEndpoint(services: Services, id: number, places: number): Promise<number> {
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
    const claim = { leaseToken, ids: await claimDeliveries(db, id, lease) };
    if (claim.ids.length === 0) break;
    const tries: Try[] = [];
    try {
      await sendClaimed(services, endpoint, claim, { inFlight, isOver, tries });
    } finally {
      await record(services, endpoint, claim, tries);
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
  { ids, leaseToken }: Claim,
  { inFlight, isOver, tries }: { inFlight: number; isOver: () => boolean; tries: Try[] },
): Promise<void> {
  const { db, now } = services;
  for (let from = 0; from < ids.length; from += inFlight) {
    // Read for each batch: the endpoint may be removed, its account closed or a member erased, or another node has the lease.
    const [current, batch] = await Promise.all([
      findSendingEndpoint(db, endpoint.id),
      listClaimed(db, ids.slice(from, from + inFlight), { leaseToken, nowMs: now() }),
    ]);
    if (current === undefined) return;
    tries.push(...(await sendBatch(services, current, batch)));
    if (isOver() || tries.some(({ sent }) => sent && !isSuccess(sent))) return;
  }
}

/** Sends deliveries at once. An endpoint of the deployment gets no events of accounts that ask for more than its level. */
async function sendBatch(
  services: Services,
  endpoint: EndpointRow,
  batch: readonly ClaimedDelivery[],
): Promise<Try[]> {
  const { level } = endpoint;
  const ofAccounts = batch.flatMap(({ event }) => event?.accountId ?? []);
  const session = { level, nowMs: services.now() };
  const hidden = isDeployment(endpoint) ? await listGivenAccountsAbove(services.db, ofAccounts, session) : [];
  const isShown = ({ event }: ClaimedDelivery) =>
    event !== null && (event.accountId === null || !hidden.includes(event.accountId));
  return Promise.all(batch.map((delivery) => tryDelivery(services, endpoint, delivery, isShown(delivery))));
}

/** Deliveries that a node has claimed at once. */
interface Claim {
  readonly leaseToken: string;
  readonly ids: readonly number[];
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

/**
 * Stores the outcomes of a claim and the health of the endpoint, and ends the lease of what was not sent. What follows from
 * failures, such as a mail, is a transaction of its own, whose failure must not undo the outcomes.
 */
async function record(
  services: Services,
  endpoint: EndpointRow,
  { leaseToken, ids }: Claim,
  tries: readonly Try[],
): Promise<void> {
  const { db, metrics } = services;
  const outcomes = tries.map(({ outcome }) => outcome);
  const attempts = tries.flatMap(({ sent }) => sent ?? []);
  const isAccepted = attempts.every(isSuccess);
  const recordHealthIn = async (tx: Database, current: EndpointRow | undefined) => {
    // After a change of its address the attempts say nothing of the new one.
    if (current?.url !== endpoint.url || current.state !== 'live') return false;
    return recordHealth(tx, services, current, attempts);
  };
  await db.transaction(async (tx) => {
    const current = await lockEndpoint(tx, endpoint);
    await setOutcomes(tx, leaseToken, outcomes);
    if (tries.length < ids.length) await releaseDeliveries(tx, leaseToken, ids);
    if (isAccepted) await recordHealthIn(tx, current);
  });
  for (const { delivery, outcome } of tries) {
    const { state, deliveredAtMs } = outcome;
    metrics.countEventDelivery(state === 'pending' ? 'postponed' : state);
    if (deliveredAtMs !== undefined && delivery.event)
      metrics.observeEventDelay((deliveredAtMs - delivery.event.atMs) / 1000);
  }
  if (isAccepted) return;
  const hasMailed = await db.transaction(async (tx) => recordHealthIn(tx, await lockEndpoint(tx, endpoint)));
  if (hasMailed) services.wakeups.wake('mail');
}
