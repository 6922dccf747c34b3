import { and, type Column, eq, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { StoredTokens } from './list-stale-connections.js';

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
