import { randomUUID } from 'node:crypto';
import { and, asc, count, eq, exists, gt, isNotNull, isNull, not, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { EndpointFault, EndpointState, Redelivery } from '../tables/event-tables.js';
import { lockRows } from './lock-rows.js';
import { startsWith } from './match-text.js';
import { takeTurn } from './take-turn.js';

/** A stored endpoint. */
export interface EndpointRow {
  id: number;
  scope: string;
  accountId: number | null;
  partnerId: number | null;
  url: string;
  types: string[];
  description: string;
  active: boolean;
  state: EndpointState;
  fault: EndpointFault | null;
  level: number;
  savedById: number;
  secret: string;
  previousSecret: string | null;
  previousUntilMs: number | null;
  position: number;
  failures: number;
  failingSinceMs: number | null;
  notifiedAtMs: number | null;
  lastSuccessAtMs: number | null;
  redelivery: Redelivery | null;
  isRedelivering: boolean;
  eventVersion: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The endpoints of a scope, oldest first, at most `limit`. */
export async function listEndpoints(
  db: Database,
  { scope, limit }: { scope: string; limit: number },
): Promise<EndpointRow[]> {
  const { eventEndpoints } = db.tables;
  return db
    .select()
    .from(eventEndpoints)
    .where(eq(eventEndpoints.scope, scope))
    .orderBy(asc(eventEndpoints.id))
    .limit(limit);
}

export async function countEndpoints(db: Database, scope: string): Promise<number> {
  const { eventEndpoints } = db.tables;
  const [row] = await db
    .select({ found: count() })
    .from(eventEndpoints)
    .where(eq(eventEndpoints.scope, scope));
  return row?.found ?? 0;
}

/** One endpoint, of the given scope if there is one. */
export async function findEndpoint(
  db: Database,
  { id, scope }: { id: number; scope?: string },
): Promise<EndpointRow | undefined> {
  const { eventEndpoints } = db.tables;
  const isInScope = scope === undefined ? undefined : eq(eventEndpoints.scope, scope);
  const [row] = await db
    .select()
    .from(eventEndpoints)
    .where(and(eq(eventEndpoints.id, id), isInScope));
  return row;
}

/**
 * Locks the endpoints of a scope until the transaction ends, so that no other one is added meanwhile, even if there are none yet.
 * For an account's scope, the caller has locked the account.
 */
export async function lockEndpoints(
  tx: Database,
  { scope, accountId }: Pick<EndpointRow, 'scope' | 'accountId'>,
): Promise<void> {
  const { eventEndpoints } = tx.tables;
  if (accountId === null) await takeTurn(tx, `endpoints:${scope}`, randomUUID());
  const where = eq(eventEndpoints.scope, scope);
  await lockRows(tx, eventEndpoints, { column: eventEndpoints.createdAtMs, where, mode: 'exclusive' });
}

/** Locks an endpoint until the transaction ends, and reads it. */
export async function lockEndpoint(
  tx: Database,
  endpoint: { id: number; scope?: string },
): Promise<EndpointRow | undefined> {
  const { eventEndpoints } = tx.tables;
  const where = eq(eventEndpoints.id, endpoint.id);
  await lockRows(tx, eventEndpoints, { column: eventEndpoints.createdAtMs, where, mode: 'exclusive' });
  return findEndpoint(tx, endpoint);
}

/** Live endpoints whose account is open, or whose partner is active. */
export function isSending(db: Database): SQL | undefined {
  const { accounts, eventEndpoints, partners } = db.tables;
  const isOfOpenAccount = exists(
    db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, eventEndpoints.accountId), eq(accounts.isDeleted, false))),
  );
  const isOfActivePartner = exists(
    db
      .select({ id: partners.id })
      .from(partners)
      .where(and(eq(partners.id, eventEndpoints.partnerId), eq(partners.isActive, true))),
  );
  return and(
    eq(eventEndpoints.state, 'live'),
    eq(eventEndpoints.active, true),
    or(isNull(eventEndpoints.accountId), isOfOpenAccount),
    or(isNull(eventEndpoints.partnerId), isOfActivePartner),
  );
}

/** An endpoint that events may be sent to now. */
export async function findSendingEndpoint(db: Database, id: number): Promise<EndpointRow | undefined> {
  const { eventEndpoints } = db.tables;
  const [row] = await db
    .select()
    .from(eventEndpoints)
    .where(and(eq(eventEndpoints.id, id), isSending(db)));
  return row;
}

/** The scope of the deployment's endpoints, which get the events of all accounts. */
export const DEPLOYMENT_SCOPE = 'deployment';

type NewEndpoint = Pick<
  EndpointRow,
  | 'scope'
  | 'accountId'
  | 'partnerId'
  | 'url'
  | 'types'
  | 'description'
  | 'active'
  | 'level'
  | 'savedById'
  | 'position'
>;

/** Adds an endpoint that waits for its first ping. Its id is needed to seal its secret: `setEndpoint` follows. */
export async function insertEndpoint(tx: Database, endpoint: NewEndpoint, nowMs: number): Promise<number> {
  const written = {
    ...endpoint,
    state: 'pending',
    secret: '',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  } as const;
  return tx.insert(tx.tables.eventEndpoints, written);
}

export async function setEndpoint(
  tx: Database,
  id: number,
  change: Partial<
    Omit<EndpointRow, 'id' | 'scope' | 'accountId' | 'partnerId' | 'eventVersion' | 'createdAtMs'>
  >,
): Promise<void> {
  const { eventEndpoints } = tx.tables;
  await tx.write(tx.update(eventEndpoints).set(change).where(eq(eventEndpoints.id, id)));
}

/** Makes an endpoint live after an answered ping, unless its address has changed since. */
export async function setEndpointLive(
  db: Database,
  { id, url, nowMs }: { id: number; url: string; nowMs: number },
): Promise<void> {
  const { eventEndpoints } = db.tables;
  const { state } = eventEndpoints;
  await db.write(
    db
      .update(eventEndpoints)
      .set({ state: 'live', updatedAtMs: nowMs })
      .where(and(eq(eventEndpoints.id, id), eq(eventEndpoints.url, url), eq(state, 'pending'))),
  );
}

/** Removes an endpoint. Its deliveries are never sent, and a job removes them. */
export async function removeEndpoint(tx: Database, id: number): Promise<void> {
  const { eventEndpoints } = tx.tables;
  await tx.write(tx.delete(eventEndpoints).where(eq(eventEndpoints.id, id)));
}

/** The secrets of an endpoint, as stored. */
export type EndpointSecrets = Pick<EndpointRow, 'id' | 'secret' | 'previousSecret'>;

/** Endpoints after `afterId` with a secret not encrypted with the current key, recognized by `currentPrefix`. */
export async function listStaleEndpoints(
  db: Database,
  { afterId, currentPrefix, limit }: { afterId: number; currentPrefix: string; limit: number },
): Promise<EndpointSecrets[]> {
  const { eventEndpoints } = db.tables;
  const { id, secret, previousSecret } = eventEndpoints;
  const isStale = or(
    not(startsWith(secret, currentPrefix)),
    and(isNotNull(previousSecret), not(startsWith(previousSecret, currentPrefix))),
  );
  return db
    .select({ id, secret, previousSecret })
    .from(eventEndpoints)
    .where(and(gt(id, afterId), isStale))
    .orderBy(asc(id))
    .limit(limit);
}

/** Stores secrets encrypted anew, unless they were rotated meanwhile. */
export async function setEndpointSecrets(
  db: Database,
  before: EndpointSecrets,
  anew: Pick<EndpointSecrets, 'secret' | 'previousSecret'>,
): Promise<void> {
  const { eventEndpoints } = db.tables;
  await db.write(
    db
      .update(eventEndpoints)
      .set(anew)
      .where(and(eq(eventEndpoints.id, before.id), eq(eventEndpoints.secret, before.secret))),
  );
}
