import { and, asc, eq, gt, isNull, like, not } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { OauthModel } from '../tables/oauth-tables.js';
import type { AccessTransaction } from './change-access.js';

/** A code, token, grant or interaction as it is stored. */
export interface OauthArtifact {
  readonly model: OauthModel;
  readonly digest: string;
  readonly grantDigest: string | null;
  readonly memberId: number | null;
  readonly consentId: number | null;
  /** Encrypted. */
  readonly payload: string;
  readonly createdAtMs: number;
  readonly consumedAtMs: number | null;
  readonly expiresAtMs: number;
}

interface ArtifactKey {
  readonly model: OauthModel;
  readonly digest: string;
}

function hasKey({ tables: { oauthArtifacts } }: Database, { model, digest }: ArtifactKey) {
  return and(eq(oauthArtifacts.model, model), eq(oauthArtifacts.digest, digest));
}

export async function findOauthArtifact(db: Database, key: ArtifactKey): Promise<OauthArtifact | undefined> {
  const [row] = await db.select().from(db.tables.oauthArtifacts).where(hasKey(db, key));
  return row;
}

/** Stores one. False if it is stored already. */
export function insertOauthArtifact(
  db: Database,
  row: Omit<OauthArtifact, 'consumedAtMs'>,
): Promise<boolean> {
  return db.insertOnce(db.tables.oauthArtifacts, row);
}

/** Replaces what may change of one that is stored. */
export async function setOauthArtifact(
  tx: AccessTransaction,
  row: Omit<OauthArtifact, 'consumedAtMs'>,
): Promise<void> {
  const { payload, expiresAtMs, consentId } = row;
  const set = tx.update(tx.tables.oauthArtifacts).set({ payload, expiresAtMs, consentId });
  await tx.write(set.where(hasKey(tx, row)));
}

/** Marks one as exchanged. False if it was before. */
export async function consumeOauthArtifact(
  db: Database,
  { nowMs, ...key }: ArtifactKey & { readonly nowMs: number },
): Promise<boolean> {
  const { oauthArtifacts } = db.tables;
  const isOpen = and(hasKey(db, key), isNull(oauthArtifacts.consumedAtMs));
  return (await db.write(db.update(oauthArtifacts).set({ consumedAtMs: nowMs }).where(isOpen))) === 1;
}

/** Removes one. False if there was none. */
export async function removeOauthArtifact(db: Database, key: ArtifactKey): Promise<boolean> {
  return (await db.write(db.delete(db.tables.oauthArtifacts).where(hasKey(db, key)))) === 1;
}

/** Those that are not encrypted with the current key, by ascending id. */
export async function listStaleArtifacts(
  db: Database,
  { afterId, currentPrefix, limit }: { afterId: number; currentPrefix: string; limit: number },
): Promise<Pick<OauthArtifact & { readonly id: number }, 'digest' | 'id' | 'model' | 'payload'>[]> {
  const { oauthArtifacts } = db.tables;
  const { digest, id, model, payload } = oauthArtifacts;
  return db
    .select({ digest, id, model, payload })
    .from(oauthArtifacts)
    .where(and(gt(id, afterId), not(like(payload, `${currentPrefix}%`))))
    .orderBy(asc(id))
    .limit(limit);
}

/** Replaces the payload of one that nobody has changed meanwhile. */
export async function setArtifactPayload(
  db: Database,
  { id, before, payload }: { readonly id: number; readonly before: string; readonly payload: string },
): Promise<void> {
  const { oauthArtifacts } = db.tables;
  const isSame = and(eq(oauthArtifacts.id, id), eq(oauthArtifacts.payload, before));
  await db.write(db.update(oauthArtifacts).set({ payload }).where(isSame));
}

/** Removes the codes and tokens of one kind that come from a grant. */
export async function removeArtifactsOfGrant(
  tx: AccessTransaction,
  { model, grantDigest }: { readonly model: OauthModel; readonly grantDigest: string },
): Promise<void> {
  const { oauthArtifacts } = tx.tables;
  await tx.write(
    tx
      .delete(oauthArtifacts)
      .where(and(eq(oauthArtifacts.grantDigest, grantDigest), eq(oauthArtifacts.model, model))),
  );
}

/** Ends a grant with the codes and tokens that come from it. False if it was ended before. */
export async function endGrant(
  tx: AccessTransaction,
  { grantDigest, nowMs }: { readonly grantDigest: string; readonly nowMs: number },
): Promise<boolean> {
  const isFirst = await consumeOauthArtifact(tx, { model: 'Grant', digest: grantDigest, nowMs });
  for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const)
    await removeArtifactsOfGrant(tx, { model, grantDigest });
  return isFirst;
}
