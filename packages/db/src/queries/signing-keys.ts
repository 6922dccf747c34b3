import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SigningAlgorithm } from '../tables/access-token-tables.js';

export interface SigningKeyRow {
  readonly id: number;
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** The public key as a JWK. */
  readonly publicKey: Record<string, unknown>;
  /** Encrypted. */
  readonly privateKey: string;
  readonly createdAtMs: number;
  readonly promotedAtMs: number | null;
  readonly retiredAtMs: number | null;
}

/** All keys, older first. There are few: each lives for months. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  const { signingKeys } = db.tables;
  return db.select().from(signingKeys).orderBy(asc(signingKeys.id)).limit(1_000);
}

export async function insertSigningKey(db: Database, row: Omit<SigningKeyRow, 'id'>): Promise<number> {
  return db.insert(db.tables.signingKeys, row);
}

/** Makes a key sign, in place of every other of its algorithm. */
export async function promoteSigningKey(
  db: Database,
  { kid, algorithm, nowMs }: { kid: string; algorithm: SigningAlgorithm; nowMs: number },
): Promise<void> {
  const { signingKeys } = db.tables;
  await db.write(
    db
      .update(signingKeys)
      .set({ retiredAtMs: nowMs })
      .where(
        and(
          eq(signingKeys.algorithm, algorithm),
          isNull(signingKeys.retiredAtMs),
          isNotNull(signingKeys.promotedAtMs),
        ),
      ),
  );
  await db.write(
    db.update(signingKeys).set({ promotedAtMs: nowMs, retiredAtMs: null }).where(eq(signingKeys.kid, kid)),
  );
}

/** Stops a key, as of a moment. */
export async function retireSigningKey(
  db: Database,
  { kid, atMs }: { kid: string; atMs: number },
): Promise<void> {
  const { signingKeys } = db.tables;
  await db.write(db.update(signingKeys).set({ retiredAtMs: atMs }).where(eq(signingKeys.kid, kid)));
}

/** Replaces the encrypted private key of a row that nobody has changed meanwhile. */
export async function setSigningKeySecret(
  db: Database,
  { id, before, privateKey }: { id: number; before: string; privateKey: string },
): Promise<void> {
  const { signingKeys } = db.tables;
  await db.write(
    db
      .update(signingKeys)
      .set({ privateKey })
      .where(and(eq(signingKeys.id, id), eq(signingKeys.privateKey, before))),
  );
}
