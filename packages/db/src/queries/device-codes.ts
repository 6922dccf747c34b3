import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { OauthArtifact } from './oauth-artifacts.js';

/** A device that waits for a person to approve it (RFC 8628). */
export interface DeviceCodeRow extends Pick<OauthArtifact, 'digest' | 'payload' | 'consumedAtMs'> {
  readonly expiresAtMs: number;
}

function columns({ tables: { oauthArtifacts } }: Database) {
  const { digest, payload, consumedAtMs, expiresAtMs } = oauthArtifacts;
  return { digest, payload, consumedAtMs, expiresAtMs };
}

function isDevice({ tables: { oauthArtifacts } }: Database, digest: string) {
  return and(eq(oauthArtifacts.model, 'DeviceCode'), eq(oauthArtifacts.digest, digest));
}

/** Stores one, with the digest of the code that a person enters. False if another device has that code. */
export function insertDeviceCode(
  db: Database,
  row: Omit<DeviceCodeRow, 'consumedAtMs'> & {
    readonly userCodeDigest: string;
    readonly createdAtMs: number;
  },
): Promise<boolean> {
  return db.insertOnce(db.tables.oauthArtifacts, { ...row, model: 'DeviceCode' });
}

/** By the digest of the code that the device sends, decided or not. */
export async function findDeviceCode(db: Database, digest: string): Promise<DeviceCodeRow | undefined> {
  const [row] = await db.select(columns(db)).from(db.tables.oauthArtifacts).where(isDevice(db, digest));
  return row;
}

/** By the digest of the code that a person enters, if nobody has decided. */
export async function findUndecidedDevice(
  db: Database,
  userCodeDigest: string,
): Promise<DeviceCodeRow | undefined> {
  const { oauthArtifacts } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(oauthArtifacts)
    .where(eq(oauthArtifacts.userCodeDigest, userCodeDigest));
  return row;
}

/** Stores what a person decided. False if somebody did before. */
export async function decideDevice(
  db: Database,
  decided: {
    readonly digest: string;
    readonly userCodeDigest: string;
    readonly payload: string;
    /** The grant that the device gets; null if it gets nothing. */
    readonly grantDigest: string | null;
    readonly memberId: number | null;
  },
): Promise<boolean> {
  const { digest, userCodeDigest, ...fields } = decided;
  const { oauthArtifacts } = db.tables;
  const isOpen = and(isDevice(db, digest), eq(oauthArtifacts.userCodeDigest, userCodeDigest));
  const set = db.update(oauthArtifacts).set({ ...fields, userCodeDigest: null });
  return (await db.write(set.where(isOpen))) === 1;
}

/** Marks one as exchanged. False if it was before. */
export async function consumeDeviceCode(db: Database, digest: string, nowMs: number): Promise<boolean> {
  const { oauthArtifacts } = db.tables;
  const isOpen = and(isDevice(db, digest), isNull(oauthArtifacts.consumedAtMs));
  return (await db.write(db.update(oauthArtifacts).set({ consumedAtMs: nowMs }).where(isOpen))) === 1;
}
