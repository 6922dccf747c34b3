import { and, asc, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SocialStatePurpose } from '../tables/social-tables.js';

/** A one-use code of a member who connects a provider. The caller has encrypted the payload. */
export interface NewSocialState {
  /** The digest of the code. */
  stateKey: string;
  purpose: SocialStatePurpose;
  providerId: number;
  memberId: number;
  /** The session that may use the code. */
  sessionTokenKey: string;
  payload: string | null;
  nowMs: number;
  expiresAtMs: number;
}

export async function insertSocialState(tx: Database, { nowMs, ...state }: NewSocialState): Promise<void> {
  await tx.insert(tx.tables.socialStates, { ...state, createdAtMs: nowMs });
}

/** The data of a consumed code. */
export interface ConsumedSocialState {
  providerId: number;
  memberId: number;
  sessionTokenKey: string;
  payload: string | null;
}

/**
 * Consumes a code. Undefined unless it has this purpose, is unused and unexpired, and, if `bearer` is given,
 * belongs to that session. Only one of any number of attempts succeeds; an attempt by another session changes
 * nothing.
 */
export async function consumeSocialState(
  tx: Database,
  code: {
    stateKey: string;
    purpose: SocialStatePurpose;
    bearer?: { memberId: number; sessionTokenKey: string };
    nowMs: number;
  },
): Promise<ConsumedSocialState | undefined> {
  const { socialStates } = tx.tables;
  const { stateKey, purpose, bearer, nowMs } = code;
  const isThis = eq(socialStates.stateKey, stateKey);
  const [found] = await tx
    .select({
      providerId: socialStates.providerId,
      memberId: socialStates.memberId,
      sessionTokenKey: socialStates.sessionTokenKey,
      payload: socialStates.payload,
    })
    .from(socialStates)
    .where(isThis);
  if (!found || found.memberId === null || found.sessionTokenKey === null) return undefined;
  const { memberId, sessionTokenKey } = found;
  const rows = await tx.write(
    tx
      .update(socialStates)
      .set({ usedAtMs: nowMs, payload: null })
      .where(
        and(
          isThis,
          eq(socialStates.purpose, purpose),
          isNull(socialStates.usedAtMs),
          gt(socialStates.expiresAtMs, nowMs),
          bearer && eq(socialStates.memberId, bearer.memberId),
          bearer && eq(socialStates.sessionTokenKey, bearer.sessionTokenKey),
        ),
      ),
  );
  return rows === 1 ? { ...found, memberId, sessionTokenKey } : undefined;
}

/** Removes up to `limit` codes that have expired, used or not; returns how many were removed. */
export async function removeExpiredSocialStates(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const { socialStates } = db.tables;
  const expired = await db
    .select({ key: socialStates.stateKey })
    .from(socialStates)
    .where(lte(socialStates.expiresAtMs, nowMs))
    .orderBy(asc(socialStates.expiresAtMs))
    .limit(limit);
  if (expired.length === 0) return 0;
  const keys = expired.map(({ key }) => key).toSorted();
  return db.write(db.delete(socialStates).where(inArray(socialStates.stateKey, keys)));
}
