import { randomId } from '@gatehouse/auth-core';
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
import { isFailing, placesOf } from './delivery-places.js';
import { recordHealth } from './record-health.js';
import { isSuccess, type Sent, sendEvent } from './send-event.js';

/** Deliveries of a node that dies are due again after this, which is longer than any attempt. */
const LEASE_MS = 60_000;

/** How many deliveries to an endpoint that accepts them a node claims at once. */
const CLAIMED_AT_ONCE = 100;

/** What decided whether a delivery may be sent is read again for a later one after this. */
const READ_LASTS_MS = 100;

/** How long one endpoint is served before the others of its host get its places. */
const SERVED_MS = 1_000;

/** Sends what is due to an endpoint, for a while; to one that keeps failing, a single event. Returns how many attempts it made. */
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
    const leaseUntilMs = nowMs + LEASE_MS;
    const inFlight = Math.min(places, placesOf(endpoint.failures));
    const limit = endpoint.failures === 0 ? CLAIMED_AT_ONCE : inFlight;
    const ids = await claimDeliveries(db, id, { leaseToken, leaseUntilMs, limit, nowMs });
    if (ids.length === 0) break;
    const isOverOrLost = () => isOver() || now() >= leaseUntilMs;
    const sent = await sendClaimed(
      services,
      endpoint,
      { leaseToken, ids },
      { inFlight, isOver: isOverOrLost },
    );
    made += sent;
    if (sent === 0 || isFailing(endpoint.failures)) break;
  }
  return made;
}

/**
 * Sends claimed deliveries until time is over, one fails, or the endpoint may get nothing more. Records each batch, so that a node
 * that dies has sent only a few without a record.
 * @param inFlight how many at once
 * @returns how many it sent
 */
async function sendClaimed(
  services: Services,
  endpoint: EndpointRow,
  { ids, leaseToken }: Claim,
  { inFlight, isOver }: { inFlight: number; isOver: () => boolean },
): Promise<number> {
  const { db } = services;
  const unsent = new Set(ids);
  const attempts: Sent[] = [];
  try {
    for (let from = 0; from < ids.length; from += inFlight) {
      const part = { leaseToken, ids: ids.slice(from, from + inFlight) };
      const current = await readClaimed(services, endpoint.id, part);
      if (current === undefined) break;
      const tries = await sendBatch(services, current, part, isOver);
      for (const { delivery } of tries) unsent.delete(delivery.id);
      await recordOutcomes(services, leaseToken, tries);
      attempts.push(...tries.flatMap(({ sent }) => sent ?? []));
      const isWhole = tries.length === current.batch.length;
      if (!isWhole || isOver() || !attempts.every(isSuccess)) break;
    }
  } finally {
    await releaseDeliveries(db, leaseToken, [...unsent]);
  }
  await recordAttempts(services, endpoint, attempts);
  return ids.length - unsent.size;
}

/** Claimed deliveries with the endpoint that they go to, as they are at a moment. */
interface Current {
  readonly endpoint: EndpointRow;
  readonly batch: readonly ClaimedDelivery[];
  readonly readAtMs: number;
}

/**
 * Reads what decides whether claimed deliveries may be sent: the endpoint may be removed, its account closed or a member erased
 * meanwhile, or another node has the lease. An endpoint of the deployment or of a partner gets no events of accounts that ask for
 * more than its level.
 * @returns undefined if nothing may be sent to the endpoint
 */
async function readClaimed(
  { db, now }: Services,
  endpointId: number,
  { ids, leaseToken }: Claim,
): Promise<Current | undefined> {
  const readAtMs = performance.now();
  const nowMs = now();
  const [endpoint, batch] = await Promise.all([
    findSendingEndpoint(db, endpointId),
    listClaimed(db, endpointId, { ids, leaseToken, nowMs }),
  ]);
  if (endpoint === undefined) return undefined;
  const { accountId, level } = endpoint;
  const ofAccounts = batch.flatMap(({ event }) => event?.accountId ?? []);
  const hidden = accountId === null ? await listGivenAccountsAbove(db, ofAccounts, { level, nowMs }) : [];
  const shown = batch.map((delivery) => {
    const ofAccount = delivery.event?.accountId ?? null;
    return ofAccount !== null && hidden.includes(ofAccount) ? { ...delivery, event: null } : delivery;
  });
  return { endpoint, batch: shown, readAtMs };
}

/** Sends deliveries at once, except that those of one subject follow each other, each as it is when it is sent. */
async function sendBatch(
  services: Services,
  read: Current,
  { leaseToken }: Claim,
  isOver: () => boolean,
): Promise<Try[]> {
  const again = async ({ id }: ClaimedDelivery) => {
    if (performance.now() - read.readAtMs <= READ_LASTS_MS) return read;
    // If it cannot be read, nothing more is sent, and what was sent is recorded first.
    return readClaimed(services, read.endpoint.id, { leaseToken, ids: [id] }).catch(() => undefined);
  };
  const sendRun = async (subject: string) => {
    const tries: Try[] = [];
    for (const claimed of read.batch.filter((each) => each.subject === subject)) {
      if (tries.length > 0 && isOver()) break;
      const current = tries.length > 0 ? await again(claimed) : read;
      const delivery = current?.batch.find(({ id }) => id === claimed.id);
      if (current === undefined || delivery === undefined) break;
      const made = await tryDelivery(services, current.endpoint, delivery);
      tries.push(made);
      if (made.sent && !isSuccess(made.sent)) break;
    }
    return tries;
  };
  const subjects = new Set(read.batch.map(({ subject }) => subject));
  return (await Promise.all([...subjects].map(sendRun))).flat();
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
): Promise<Try> {
  const { id, failures, event } = delivery;
  let sent: Sent | undefined;
  try {
    if (event !== null) sent = await sendEvent(services, endpoint, event);
    return { delivery, sent, outcome: outcomeOf(delivery, sent, services.now()) };
  } catch (error) {
    services.log.failure(`job event-delivery, delivery ${id}`, error);
    return { delivery, sent, outcome: { id, state: 'failed', failures, attempts: [] } };
  }
}

async function recordOutcomes(
  { db, metrics }: Services,
  leaseToken: string,
  tries: readonly Try[],
): Promise<void> {
  await setOutcomes(
    db,
    leaseToken,
    tries.map(({ outcome }) => outcome),
  );
  for (const { delivery, outcome } of tries) {
    const { state, deliveredAtMs } = outcome;
    metrics.countEventDelivery(state === 'pending' ? 'postponed' : state);
    if (deliveredAtMs !== undefined && delivery.event)
      metrics.observeEventDelay((deliveredAtMs - delivery.event.atMs) / 1000);
  }
}

/** Stores what the attempts of a claim say of the endpoint. */
async function recordAttempts(
  services: Services,
  endpoint: EndpointRow,
  attempts: readonly Sent[],
): Promise<void> {
  const hasMailed = await services.db.transaction(async (tx) => {
    const current = await lockEndpoint(tx, endpoint);
    // After a change of address, earlier attempts say nothing about the new address.
    if (current?.url !== endpoint.url || current.state !== 'live') return false;
    return recordHealth(tx, services, current, attempts);
  });
  if (hasMailed) services.wakeups.wake('mail');
}
