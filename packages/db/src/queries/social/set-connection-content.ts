import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { ConnectionContent } from './connection-content.js';

/**
 * Stores a provider's newest profile and tokens. False when the connection is gone or another member's. A
 * running renewal loses its lease, so it cannot overwrite them with older tokens.
 */
export async function setConnectionContent(
  tx: Database,
  { id, memberId }: { id: number; memberId: number },
  { nowMs, refreshToken, ...content }: ConnectionContent & { nowMs: number },
): Promise<boolean> {
  const { socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(socialConnections)
      .set({
        ...content,
        ...(refreshToken === null ? {} : { refreshToken }),
        renewAttempts: 0,
        leaseToken: null,
        leaseUntilMs: null,
        lastError: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(socialConnections.id, id), eq(socialConnections.memberId, memberId))),
  );
  return rows === 1;
}
