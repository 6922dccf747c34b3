import { and, asc, count, eq, gt, inArray, isNull, like, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { ApplicationType, StoredKeySet, SubjectType } from '../tables/application-tables.js';
import type { AccessTransaction } from './change-access.js';
import { inIds } from './paging.js';
import { prepareRead } from './prepared.js';

/** The fields of an application that its manager chooses. */
export interface ApplicationFields {
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUris: string[];
  readonly postLogoutRedirectUris: string[];
  readonly backchannelLogoutUri: string | null;
  /** Public keys with which it proves its identity; null for none. */
  readonly jwks: StoredKeySet | null;
  /** The URL of such keys; null for none. */
  readonly jwksUri: string | null;
  readonly scopes: string[];
  readonly resources: string[];
  readonly subjectType: SubjectType;
  readonly active: boolean;
  readonly machineId: number | null;
  readonly skipConsent: boolean;
  readonly pkceExempt: boolean;
}

/** An application that was not removed. */
export interface ApplicationRow extends ApplicationFields {
  readonly id: number;
  readonly clientId: string;
  /** Null for an application of the deployment. */
  readonly accountId: number | null;
  /** Whether staff stopped it. */
  readonly blocked: boolean;
  readonly createdById: number;
  readonly createdAtMs: number;
}

/** A live secret of an application. */
export interface ApplicationSecretRow {
  readonly id: number;
  readonly applicationId: number;
  readonly start: string;
  readonly createdById: number;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

function columns({ tables: { applications } }: Database) {
  return {
    id: applications.id,
    clientId: applications.clientId,
    accountId: applications.accountId,
    name: applications.name,
    type: applications.type,
    redirectUris: applications.redirectUris,
    postLogoutRedirectUris: applications.postLogoutRedirectUris,
    backchannelLogoutUri: applications.backchannelLogoutUri,
    jwks: applications.jwks,
    jwksUri: applications.jwksUri,
    scopes: applications.scopes,
    resources: applications.resources,
    subjectType: applications.subjectType,
    active: applications.active,
    blocked: applications.blocked,
    skipConsent: applications.skipConsent,
    pkceExempt: applications.pkceExempt,
    machineId: applications.machineId,
    createdById: applications.createdById,
    createdAtMs: applications.createdAtMs,
  };
}

function isOf({ tables: { applications } }: Database, accountId: number | null) {
  const ofScope =
    accountId === null
      ? and(isNull(applications.accountId), ne(applications.type, 'document'))
      : eq(applications.accountId, accountId);
  return and(ofScope, isNull(applications.removedAtMs));
}

/** The applications of an account, or of the deployment, by ascending id. */
export async function listApplications(
  db: Database,
  { accountId, afterId, limit }: { accountId: number | null; afterId: number; limit: number },
): Promise<ApplicationRow[]> {
  const { applications } = db.tables;
  return db
    .select(columns(db))
    .from(applications)
    .where(and(isOf(db, accountId), gt(applications.id, afterId)))
    .orderBy(asc(applications.id))
    .limit(limit);
}

/** An application of an account, or of the deployment. */
export async function findApplication(
  db: Database,
  { id, accountId }: { id: number; accountId: number | null },
): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(applications)
    .where(and(eq(applications.id, id), isOf(db, accountId)));
  return row;
}

/** The application with a client id, even one that is not active. Undefined for one that was removed. */
export async function findClient(db: Database, clientId: string): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(applications)
    .where(and(eq(applications.clientId, clientId), isNull(applications.removedAtMs)));
  return row;
}

/** The id of the application with a client id. Undefined for one that was removed. */
export async function findApplicationId(db: Database, clientId: string): Promise<number | undefined> {
  const { applications } = db.tables;
  const [row] = await db
    .select({ id: applications.id })
    .from(applications)
    .where(and(eq(applications.clientId, clientId), isNull(applications.removedAtMs)));
  return row?.id;
}

/** What decides whether an application and its requests are accepted. */
export interface ApplicationState extends ApplicationRow {
  readonly secrets: readonly { readonly id: number; readonly digest: string }[];
}

const preparedState = prepareRead((db) => {
  const { applications, applicationSecrets } = db.tables;
  return db
    .select({ ...columns(db), secretId: applicationSecrets.id, digest: applicationSecrets.digest })
    .from(applications)
    .leftJoin(applicationSecrets, eq(applicationSecrets.applicationId, applications.id))
    .where(and(eq(applications.id, sql.placeholder('id')), isNull(applications.removedAtMs)));
});

/** An application with its secrets. Undefined for one that was removed. */
export async function findApplicationState(db: Database, id: number): Promise<ApplicationState | undefined> {
  const rows = await preparedState(db, { id });
  const [first] = rows;
  if (first === undefined) return undefined;
  const { secretId: _secretId, digest: _digest, ...application } = first;
  const secrets = rows.flatMap((row) =>
    row.secretId === null || row.digest === null ? [] : [{ id: row.secretId, digest: row.digest }],
  );
  return { ...application, secrets };
}

/** An application by its id, of any account. Undefined for one that was removed. */
export async function findApplicationById(db: Database, id: number): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(applications)
    .where(and(eq(applications.id, id), isNull(applications.removedAtMs)));
  return row;
}

/** @returns its id */
export async function insertApplication(
  tx: AccessTransaction,
  { nowMs, ...row }: Omit<ApplicationRow, 'id' | 'blocked' | 'createdAtMs'> & { readonly nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.applications, {
    ...row,
    blocked: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
}

/** Changes an application. */
export async function setApplication(
  tx: AccessTransaction,
  { id, nowMs, ...fields }: ApplicationFields & { readonly id: number; readonly nowMs: number },
): Promise<void> {
  const { applications } = tx.tables;
  tx.changedApplications.add(id);
  await tx.write(
    tx
      .update(applications)
      .set({ ...fields, updatedAtMs: nowMs })
      .where(eq(applications.id, id)),
  );
}

/** Blocks an application, which ends its use, or lets its account activate it again. */
export async function setApplicationBlocked(
  tx: AccessTransaction,
  { id, blocked, nowMs }: { id: number; blocked: boolean; nowMs: number },
): Promise<void> {
  const { applications } = tx.tables;
  tx.changedApplications.add(id);
  const fields = blocked ? { blocked, active: false } : { blocked };
  await tx.write(
    tx
      .update(applications)
      .set({ ...fields, updatedAtMs: nowMs })
      .where(eq(applications.id, id)),
  );
}

function isAtHost({ tables: { applications } }: Database, host: string) {
  const beginnings = ['https', 'http'].flatMap((scheme) => [`${scheme}://${host}/`, `${scheme}://${host}:`]);
  const isThere = or(...beginnings.map((beginning) => like(applications.clientId, `${beginning}%`)));
  return and(eq(applications.type, 'document'), isThere, isNull(applications.removedAtMs));
}

/** Blocks a host of client documents and the applications that they describe, or allows it again. False if nothing changes. */
export async function setClientHostBlocked(
  tx: AccessTransaction,
  { host, blocked, byId, nowMs }: { host: string; blocked: boolean; byId: number; nowMs: number },
): Promise<boolean> {
  const { applications, blockedClientHosts } = tx.tables;
  if ((await isClientHostBlocked(tx, host)) === blocked) return false;
  if (blocked) await tx.insert(blockedClientHosts, { host, createdById: byId, createdAtMs: nowMs });
  else await tx.write(tx.delete(blockedClientHosts).where(eq(blockedClientHosts.host, host)));
  const rows = await tx.select({ id: applications.id }).from(applications).where(isAtHost(tx, host));
  for (const { id } of rows) tx.changedApplications.add(id);
  const fields = { blocked, active: !blocked, updatedAtMs: nowMs };
  await tx.write(tx.update(applications).set(fields).where(isAtHost(tx, host)));
  return true;
}

/** How many applications described by documents exist because the member was the first to consent. */
export async function countDocumentsOf(db: Database, memberId: number): Promise<number> {
  const { createdById, type, removedAtMs } = db.tables.applications;
  const isTheirs = and(eq(createdById, memberId), eq(type, 'document'), isNull(removedAtMs));
  const [row] = await db.select({ count: count() }).from(db.tables.applications).where(isTheirs);
  return row?.count ?? 0;
}

/** Whether staff blocked a host of client documents. */
export async function isClientHostBlocked(db: Database, host: string): Promise<boolean> {
  const { blockedClientHosts } = db.tables;
  const rows = await db
    .select({ id: blockedClientHosts.id })
    .from(blockedClientHosts)
    .where(eq(blockedClientHosts.host, host));
  return rows.length > 0;
}

export interface BlockedClientHost {
  readonly id: number;
  readonly host: string;
  readonly createdById: number;
  readonly createdAtMs: number;
}

/** The hosts of client documents that staff blocked, by ascending id. */
export async function listBlockedClientHosts(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<BlockedClientHost[]> {
  const { blockedClientHosts } = db.tables;
  const { id } = blockedClientHosts;
  return db.select().from(blockedClientHosts).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);
}

/** Removes an application and its secrets. */
export async function removeApplication(
  tx: AccessTransaction,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<void> {
  const { applications, applicationSecrets } = tx.tables;
  tx.changedApplications.add(id);
  await tx.write(
    tx
      .update(applications)
      .set({ removedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(applications.id, id), isNull(applications.removedAtMs))),
  );
  await tx.write(tx.delete(applicationSecrets).where(eq(applicationSecrets.applicationId, id)));
}

/** The secrets of an application, oldest first. */
export async function listApplicationSecrets(
  db: Database,
  applicationId: number,
): Promise<ApplicationSecretRow[]> {
  const { applicationSecrets } = db.tables;
  const { id, start, createdById, createdAtMs, lastUsedAtMs } = applicationSecrets;
  return db
    .select({
      id,
      applicationId: applicationSecrets.applicationId,
      start,
      createdById,
      createdAtMs,
      lastUsedAtMs,
    })
    .from(applicationSecrets)
    .where(eq(applicationSecrets.applicationId, applicationId))
    .orderBy(asc(id));
}

/** @returns its id */
export async function insertApplicationSecret(
  tx: AccessTransaction,
  row: Omit<ApplicationSecretRow, 'id' | 'lastUsedAtMs'> & { readonly digest: string },
): Promise<number> {
  tx.changedApplications.add(row.applicationId);
  return tx.insert(tx.tables.applicationSecrets, row);
}

/** Records that secrets were used, unless a later use is recorded. */
export async function touchApplicationSecrets(
  db: Database,
  ids: readonly number[],
  nowMs: number,
): Promise<void> {
  const { applicationSecrets } = db.tables;
  const { id, lastUsedAtMs } = applicationSecrets;
  const isLater = or(isNull(lastUsedAtMs), lt(lastUsedAtMs, nowMs));
  await db.write(
    db
      .update(applicationSecrets)
      .set({ lastUsedAtMs: nowMs })
      .where(and(inIds(db, id, ids), isLater)),
  );
}

/** Removes a secret of an application. False if it has no such secret. */
export async function removeApplicationSecret(
  tx: AccessTransaction,
  { id, applicationId }: { id: number; applicationId: number },
): Promise<boolean> {
  const { applicationSecrets } = tx.tables;
  tx.changedApplications.add(applicationId);
  const rows = await tx.write(
    tx
      .delete(applicationSecrets)
      .where(and(eq(applicationSecrets.id, id), eq(applicationSecrets.applicationId, applicationId))),
  );
  return rows === 1;
}

/** Erases the applications of an account with their secrets, including removed ones, and the consents of members to them. */
export async function eraseApplications(tx: AccessTransaction, accountId: number): Promise<void> {
  const { applications, applicationSecrets, consents } = tx.tables;
  await tx.write(tx.delete(consents).where(eq(consents.accountId, accountId)));
  const ofAccount = eq(applications.accountId, accountId);
  const rows = await tx.select({ id: applications.id }).from(applications).where(ofAccount);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  for (const id of ids) tx.changedApplications.add(id);
  await tx.write(tx.delete(applicationSecrets).where(inArray(applicationSecrets.applicationId, ids)));
  await tx.write(tx.delete(consents).where(inArray(consents.applicationId, ids)));
  await tx.write(tx.delete(applications).where(ofAccount));
}
