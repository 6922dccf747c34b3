import { and, asc, eq, gt, isNotNull, isNull, not, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccountSso } from '../tables/account-tables.js';
import type { Tables } from '../tables/define-tables.js';
import type { SsoKind, SsoRules, SsoSettings } from '../tables/sso-tables.js';
import type { AccessTransaction } from './change-access.js';
import { type LockMode, lockRows } from './lock-rows.js';
import { startsWith } from './match-text.js';

/** In place of an account: the connections by which the platform's own staff sign in. Ids of accounts start at 1. */
export const PLATFORM = 0;

/** A connection of an account, or of the platform, with its identity provider. */
export type SsoConnection = Tables['ssoConnections']['$inferSelect'];

/** The connections of an account, oldest first. */
export function listSsoConnections(db: Database, accountId: number): Promise<SsoConnection[]> {
  const { ssoConnections } = db.tables;
  return db
    .select()
    .from(ssoConnections)
    .where(eq(ssoConnections.accountId, accountId))
    .orderBy(asc(ssoConnections.id));
}

export async function findSsoConnection(
  db: Database,
  { id, accountId }: { id: number; accountId: number },
): Promise<SsoConnection | undefined> {
  const { ssoConnections } = db.tables;
  const [row] = await db
    .select()
    .from(ssoConnections)
    .where(and(eq(ssoConnections.id, id), eq(ssoConnections.accountId, accountId)));
  return row;
}

/** The connection that an address names, in an account that is open. */
export async function findSsoConnectionByKey(db: Database, key: string): Promise<SsoConnection | undefined> {
  const { accounts, ssoConnections } = db.tables;
  const [row] = await db
    .select({ connection: ssoConnections })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .where(and(eq(ssoConnections.key, key), eq(accounts.isDeleted, false)));
  return row?.connection;
}

/** The connection of the platform that an address names. */
export async function findPlatformConnectionByKey(
  db: Database,
  key: string,
): Promise<SsoConnection | undefined> {
  const { ssoConnections } = db.tables;
  const [row] = await db
    .select()
    .from(ssoConnections)
    .where(and(eq(ssoConnections.key, key), eq(ssoConnections.accountId, PLATFORM)));
  return row;
}

/** Locks a connection until the transaction ends, so that nobody switches it off meanwhile. */
export async function lockSsoConnection(tx: Database, id: number, mode: LockMode): Promise<void> {
  const { ssoConnections } = tx.tables;
  const where = eq(ssoConnections.id, id);
  await lockRows(tx, ssoConnections, { column: ssoConnections.createdAtMs, where, mode });
}

export async function insertSsoConnection(
  tx: AccessTransaction,
  connection: {
    accountId: number;
    key: string;
    name: string;
    kind: SsoKind;
    settings: SsoSettings;
    secret: string | null;
    certificatesEndAtMs?: number | null;
    createdById: number;
    nowMs: number;
  },
): Promise<number> {
  const { nowMs, ...row } = connection;
  return tx.insert(tx.tables.ssoConnections, { ...row, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/** Changes what is known of a connection; different settings make a new version of it. */
export async function setSsoConnection(
  tx: AccessTransaction,
  {
    id,
    nowMs,
    ...changes
  }: {
    id: number;
    nowMs: number;
    name?: string;
    settings?: SsoSettings;
    secret?: string | null;
    version?: number;
    testedVersion?: number | null;
    live?: SsoSettings | null;
    liveSecret?: string | null;
    liveVersion?: number | null;
    certificatesEndAtMs?: number | null;
    epoch?: number;
  },
): Promise<void> {
  const { ssoConnections } = tx.tables;
  await tx.write(
    tx
      .update(ssoConnections)
      .set({ ...changes, updatedAtMs: nowMs })
      .where(eq(ssoConnections.id, id)),
  );
}

/** Records that the test of a version passed, unless the connection was changed since. */
export async function setSsoConnectionTested(
  tx: Database,
  { id, version }: { id: number; version: number },
): Promise<boolean> {
  const { ssoConnections } = tx.tables;
  const isThat = and(eq(ssoConnections.id, id), eq(ssoConnections.version, version));
  return (await tx.write(tx.update(ssoConnections).set({ testedVersion: version }).where(isThat))) === 1;
}

/** Removes a connection with everything that was known of its people. */
export async function removeSsoConnection(tx: AccessTransaction, id: number): Promise<void> {
  const { ssoConnections, ssoLogins, ssoRuns, ssoSubjects } = tx.tables;
  await tx.write(tx.delete(ssoRuns).where(eq(ssoRuns.connectionId, id)));
  await tx.write(tx.delete(ssoSubjects).where(eq(ssoSubjects.connectionId, id)));
  await tx.write(tx.delete(ssoLogins).where(eq(ssoLogins.connectionId, id)));
  await tx.write(tx.delete(ssoConnections).where(eq(ssoConnections.id, id)));
}

/** The single sign-on of an account, as its state has it; null if it never had any. */
export async function findAccountSso(db: Database, accountId: number): Promise<AccountSso | null> {
  const { accounts } = db.tables;
  const [row] = await db.select({ sso: accounts.sso }).from(accounts).where(eq(accounts.id, accountId));
  return row?.sso ?? null;
}

/**
 * Writes into the state of an account which of its connections are active, and what it requires. Every change of a connection
 * calls it. Without a connection nothing is required.
 */
export async function writeAccountSso(
  tx: AccessTransaction,
  {
    accountId,
    nowMs,
    ...policy
  }: { accountId: number; nowMs: number; required?: boolean; exemptIds?: readonly number[] },
): Promise<AccountSso> {
  const { accounts } = tx.tables;
  const before = await findAccountSso(tx, accountId);
  const connections = (await listSsoConnections(tx, accountId)).filter(({ live }) => live !== null);
  const { required = before?.required ?? false, exemptIds = before?.exemptIds ?? [] } = policy;
  const sso = {
    required: required && connections.length > 0,
    exemptIds,
    connections: connections.map(({ id, key, name, epoch }) => ({ id, key, name, epoch })),
  };
  await tx.write(tx.update(accounts).set({ sso, updatedAtMs: nowMs }).where(eq(accounts.id, accountId)));
  return sso;
}

/** A connection with secrets that are not encrypted with the current key. */
export type SsoSecrets = Pick<SsoConnection, 'id' | 'key' | 'secret' | 'liveSecret'>;

/** Connections with secrets that are not encrypted with the current key, by ascending id. */
export function listStaleSsoSecrets(
  db: Database,
  { afterId, currentPrefix, limit }: { afterId: number; currentPrefix: string; limit: number },
): Promise<SsoSecrets[]> {
  const { id, key, secret, liveSecret } = db.tables.ssoConnections;
  const isStale = or(
    and(isNotNull(secret), not(startsWith(secret, currentPrefix))),
    and(isNotNull(liveSecret), not(startsWith(liveSecret, currentPrefix))),
  );
  return db
    .select({ id, key, secret, liveSecret })
    .from(db.tables.ssoConnections)
    .where(and(gt(id, afterId), isStale))
    .orderBy(asc(id))
    .limit(limit);
}

/** Replaces encrypted secrets, unless they were changed meanwhile. */
export async function setSsoSecrets(
  db: Database,
  { id, secret, liveSecret }: SsoSecrets,
  anew: Pick<SsoSecrets, 'secret' | 'liveSecret'>,
): Promise<void> {
  const { ssoConnections } = db.tables;
  const isSame = and(
    eq(ssoConnections.id, id),
    secret === null ? isNull(ssoConnections.secret) : eq(ssoConnections.secret, secret),
    liveSecret === null ? isNull(ssoConnections.liveSecret) : eq(ssoConnections.liveSecret, liveSecret),
  );
  await db.write(db.update(ssoConnections).set(anew).where(isSame));
}

/** The rules by which people whom a directory provisions get their roles: those of the account's oldest active connection. */
export async function findSsoRules(db: Database, accountId: number): Promise<SsoRules | undefined> {
  const { ssoConnections } = db.tables;
  const [row] = await db
    .select({ live: ssoConnections.live })
    .from(ssoConnections)
    .where(and(eq(ssoConnections.accountId, accountId), isNotNull(ssoConnections.live)))
    .orderBy(asc(ssoConnections.id))
    .limit(1);
  return row?.live ?? undefined;
}
