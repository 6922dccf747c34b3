import { and, asc, type Column, eq, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { TokenStatus } from '../tables/social-tables.js';
import { startsWith } from './match-text.js';

/**
 * The ids of connections due for renewal that nobody is renewing, longest waiting first. Connections of deleted
 * members are skipped.
 */
export async function listDueConnections(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number[]> {
  const { members, socialConnections } = db.tables;
  const { id, memberId, renewDueAtMs, leaseUntilMs } = socialConnections;
  const rows = await db
    .select({ id })
    .from(socialConnections)
    .innerJoin(members, and(eq(members.id, memberId), eq(members.isDeleted, false)))
    .where(and(lte(renewDueAtMs, nowMs), or(isNull(leaseUntilMs), lte(leaseUntilMs, nowMs))))
    .orderBy(asc(renewDueAtMs))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** The input of a token renewal; both tokens as stored. */
export interface ClaimedConnection {
  id: number;
  memberId: number;
  providerId: number;
  providerUserId: string;
  accessToken: string | null;
  refreshToken: string | null;
  expiresAtMs: number | null;
  renewAttempts: number;
}

/**
 * Claims a connection whose tokens are due for renewal, until `leaseUntilMs`. Undefined when they are not due,
 * or another worker has it. Only one of any number of concurrent attempts succeeds, on any node.
 */
export async function claimConnection(
  db: Database,
  claim: { id: number; leaseToken: string; leaseUntilMs: number; nowMs: number },
): Promise<ClaimedConnection | undefined> {
  const { socialConnections } = db.tables;
  const { id, leaseToken, leaseUntilMs, nowMs } = claim;
  const rows = await db.write(
    db
      .update(socialConnections)
      .set({ leaseToken, leaseUntilMs })
      .where(
        and(
          eq(socialConnections.id, id),
          lte(socialConnections.renewDueAtMs, nowMs),
          or(isNull(socialConnections.leaseUntilMs), lte(socialConnections.leaseUntilMs, nowMs)),
        ),
      ),
  );
  if (rows === 0) return undefined;
  const { memberId, providerId, providerUserId, accessToken, refreshToken } = socialConnections;
  const { expiresAtMs, renewAttempts } = socialConnections;
  const [row] = await db
    .select({
      id: socialConnections.id,
      memberId,
      providerId,
      providerUserId,
      accessToken,
      refreshToken,
      expiresAtMs,
      renewAttempts,
    })
    .from(socialConnections)
    .where(and(eq(socialConnections.id, id), eq(socialConnections.leaseToken, leaseToken)));
  return row;
}

/** The outcome of a renewal. The caller has encrypted the tokens; a null refresh token keeps the old one. */
export type RenewalOutcome =
  | {
      tokenStatus: 'valid';
      accessToken: string;
      refreshToken: string | null;
      expiresAtMs: number | null;
      renewDueAtMs: number | null;
    }
  | { tokenStatus: Exclude<TokenStatus, 'valid'>; renewDueAtMs: number | null; reason: string | null };

/** Records the outcome of a claimed renewal. False when another worker has the claim. */
export async function setRenewalOutcome(
  db: Database,
  { id, leaseToken }: { id: number; leaseToken: string },
  { nowMs, ...outcome }: RenewalOutcome & { nowMs: number },
): Promise<boolean> {
  const { socialConnections } = db.tables;
  const rows = await db.write(
    db
      .update(socialConnections)
      .set({
        tokenStatus: outcome.tokenStatus,
        renewDueAtMs: outcome.renewDueAtMs,
        leaseToken: null,
        leaseUntilMs: null,
        updatedAtMs: nowMs,
        ...('accessToken' in outcome
          ? {
              accessToken: outcome.accessToken,
              expiresAtMs: outcome.expiresAtMs,
              renewAttempts: 0,
              lastError: null,
              ...(outcome.refreshToken === null ? {} : { refreshToken: outcome.refreshToken }),
            }
          : { renewAttempts: sql`${socialConnections.renewAttempts} + 1`, lastError: outcome.reason }),
      })
      .where(and(eq(socialConnections.id, id), eq(socialConnections.leaseToken, leaseToken))),
  );
  return rows === 1;
}

/** The stored tokens of a connection, and the context they are encrypted for. */
export type StoredTokens = Pick<
  Tables['socialConnections']['$inferSelect'],
  'id' | 'providerId' | 'providerUserId' | 'accessToken' | 'refreshToken'
>;

/**
 * Connections with a token not encrypted with the current key, recognised by `currentPrefix`. Connections that
 * already failed to decrypt (`error`) are skipped. It reads every connection, so use it only in a key rotation.
 */
export async function listStaleConnections(
  db: Database,
  { currentPrefix, limit }: { currentPrefix: string; limit: number },
): Promise<StoredTokens[]> {
  const { socialConnections } = db.tables;
  const { id, providerId, providerUserId, accessToken, refreshToken, tokenStatus } = socialConnections;
  const isStale = (column: Column) => and(isNotNull(column), not(startsWith(column, currentPrefix)));
  return db
    .select({ id, providerId, providerUserId, accessToken, refreshToken })
    .from(socialConnections)
    .where(and(ne(tokenStatus, 'error'), or(isStale(accessToken), isStale(refreshToken))))
    .orderBy(asc(id))
    .limit(limit);
}

/**
 * Stores the same tokens encrypted with a new key. Null marks a connection whose tokens cannot be decrypted, and
 * keeps them. False when they changed since they were read.
 */
export async function setStoredTokens(
  db: Database,
  old: StoredTokens,
  sealed: { accessToken: string | null; refreshToken: string | null } | null,
): Promise<boolean> {
  const { socialConnections } = db.tables;
  const { accessToken, refreshToken } = socialConnections;
  const rows = await db.write(
    db
      .update(socialConnections)
      .set(sealed ?? { tokenStatus: 'error', lastError: 'not readable', renewDueAtMs: null })
      .where(
        and(
          eq(socialConnections.id, old.id),
          isStill(accessToken, old.accessToken),
          isStill(refreshToken, old.refreshToken),
        ),
      ),
  );
  return rows === 1;
}

function isStill(column: Column, value: string | null): SQL {
  return value === null ? isNull(column) : eq(column, value);
}
