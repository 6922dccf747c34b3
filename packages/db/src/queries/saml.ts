import { and, asc, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SamlCheck, SsoSettings } from '../tables/sso-tables.js';
import type { AccessTransaction } from './change-access.js';
import type { SsoConnection } from './sso-connections.js';

/** The connections by SAML whose metadata is due to be fetched, at most `limit`. */
export function listDueMetadata(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<SsoConnection[]> {
  const { ssoConnections } = db.tables;
  const isDue = or(isNull(ssoConnections.metadataDueAtMs), lte(ssoConnections.metadataDueAtMs, nowMs));
  return db
    .select()
    .from(ssoConnections)
    .where(and(eq(ssoConnections.kind, 'saml'), isDue))
    .orderBy(asc(ssoConnections.metadataDueAtMs))
    .limit(limit);
}

/** Reserves the next fetch of a connection's metadata. False if another call did after `before`. */
export async function takeMetadataTurn(
  db: Database,
  { id, beforeMs, nowMs, dueAtMs }: { id: number; beforeMs: number; nowMs: number; dueAtMs: number },
): Promise<boolean> {
  const { ssoConnections } = db.tables;
  const isOld = or(isNull(ssoConnections.metadataTriedAtMs), lte(ssoConnections.metadataTriedAtMs, beforeMs));
  const taken = db
    .update(ssoConnections)
    .set({ metadataTriedAtMs: nowMs, metadataDueAtMs: dueAtMs })
    .where(and(eq(ssoConnections.id, id), isOld));
  return (await db.write(taken)) === 1;
}

/**
 * Stores what a fetch of the metadata changed, in settings of the versions that it was for. False if they were changed meanwhile.
 */
export async function setMetadataSeen(
  tx: AccessTransaction,
  {
    id,
    version,
    liveVersion,
    ...seen
  }: {
    id: number;
    version: number;
    liveVersion: number | null;
    metadataCheck: SamlCheck;
    settings: SsoSettings;
    live: SsoSettings | null;
    secret: string | null;
    liveSecret: string | null;
    certificatesEndAtMs: number | null;
    /** Null if the settings must be tested again; absent if their test is still valid. */
    testedVersion?: null;
  },
): Promise<boolean> {
  const { ssoConnections } = tx.tables;
  const isThat = and(
    eq(ssoConnections.id, id),
    eq(ssoConnections.version, version),
    liveVersion === null ? isNull(ssoConnections.liveVersion) : eq(ssoConnections.liveVersion, liveVersion),
  );
  return (await tx.write(tx.update(ssoConnections).set(seen).where(isThat))) === 1;
}

interface OfConnection {
  readonly connectionId: number;
  readonly accountId: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/**
 * Marks a message of an identity provider as used.
 * @throws {DuplicateKeyError} if it was used before
 */
export async function insertUsedMessage(
  tx: Database,
  { nowMs, ...message }: OfConnection & { readonly codeKey: string },
): Promise<void> {
  const row = { ...message, purpose: 'used', version: 0, memberId: null, payload: null } as const;
  await tx.insert(tx.tables.ssoRuns, { ...row, createdAtMs: nowMs });
}

/** Stores the content of a SAML response, encrypted, until its browser comes with the code. */
export async function insertSsoResult(
  tx: Database,
  {
    nowMs,
    ...result
  }: OfConnection & { readonly codeKey: string; readonly version: number; readonly payload: string },
): Promise<void> {
  await tx.insert(tx.tables.ssoRuns, { ...result, purpose: 'result', memberId: null, createdAtMs: nowMs });
}

/** Takes the stored content of a response to a connection; only one of any number of attempts succeeds. */
export async function takeSsoResult(
  tx: Database,
  { connectionId, codeKey, nowMs }: { connectionId: number; codeKey: string; nowMs: number },
): Promise<{ readonly version: number; readonly payload: string } | undefined> {
  const { ssoRuns } = tx.tables;
  const isThis = and(
    eq(ssoRuns.codeKey, codeKey),
    eq(ssoRuns.purpose, 'result'),
    eq(ssoRuns.connectionId, connectionId),
    gt(ssoRuns.expiresAtMs, nowMs),
    isNotNull(ssoRuns.payload),
  );
  const [found] = await tx
    .select({ version: ssoRuns.version, payload: ssoRuns.payload })
    .from(ssoRuns)
    .where(isThis);
  const payload = found?.payload ?? null;
  if (found === undefined || payload === null) return undefined;
  const taken = await tx.write(tx.update(ssoRuns).set({ payload: null }).where(isThis));
  return taken === 1 ? { version: found.version, payload } : undefined;
}
