import { and, asc, type Column, isNotNull, ne, not, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/** The tokens of a connection as they are stored, and what they are sealed for. */
export interface StoredTokens {
  id: number;
  providerId: number;
  providerUserId: string;
  accessToken: string | null;
  refreshToken: string | null;
}

/**
 * Connections with a token that was not sealed with the current key, whose texts begin with `currentPrefix`; those that
 * could not be opened before (`error`) are left out. Reads every connection, so it is for the time of a key rotation.
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
