import { and, asc, type Column, isNotNull, ne, not, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/** The stored tokens of a connection, and the context they are encrypted for. */
export interface StoredTokens {
  id: number;
  providerId: number;
  providerUserId: string;
  accessToken: string | null;
  refreshToken: string | null;
}

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
