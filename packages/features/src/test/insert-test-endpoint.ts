import type { Database } from '@gatehouse/db/database';
import {
  insertEndpoint,
  listEndpoints,
  removeEndpoint,
  setEndpoint,
} from '@gatehouse/db/queries/event-endpoints';
import type { Services } from '../core/context.js';
import { DEPLOYMENT, type EndpointScope, isDeployment } from '../endpoint/endpoint-scope.js';
import { generateEndpointSecret, sealEndpointSecret } from '../endpoint/endpoint-secrets.js';

/** Nobody listens there. */
export const CLOSED_ENDPOINT = 'http://127.0.0.1:1024/events';

/** The deployment may have ten; this leaves room for more. */
export async function removeOlderEndpoints(db: Database): Promise<void> {
  const { scope } = DEPLOYMENT;
  const older = (await listEndpoints(db, { scope, limit: 100 })).slice(0, -4);
  for (const { id } of older) await removeEndpoint(db, id);
}

/** Adds a live endpoint of a scope, and an event that was delivered to it. */
export async function insertTestEndpoint(
  db: Database,
  services: Pick<Services, 'cipher'>,
  scope: EndpointScope,
): Promise<{ endpointId: number; deliveryId: number }> {
  if (isDeployment(scope)) await removeOlderEndpoints(db);
  const nowMs = Date.now();
  const wanted = { url: CLOSED_ENDPOINT, types: ['member.*'], description: 'Ledger', active: true };
  const made = { ...scope, ...wanted, level: 1, savedById: 1, position: 0 };
  const endpointId = await insertEndpoint(db, made, nowMs);
  const secret = sealEndpointSecret(services, endpointId, generateEndpointSecret());
  await setEndpoint(db, endpointId, { secret, state: 'live' });
  const deliveryId = await db.insert(db.tables.eventDeliveries, {
    endpointId,
    position: 0,
    eventId: `evt_${endpointId}`,
    type: 'member.updated',
    subject: 'member:1',
    state: 'delivered',
    attempts: [],
    queuedAtMs: nowMs,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
  });
  return { endpointId, deliveryId };
}
