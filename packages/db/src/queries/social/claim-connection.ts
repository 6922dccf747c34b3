import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** What a renewal needs to know; both tokens as they are stored. */
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
 * Claims a connection whose tokens are due for renewal, until `leaseUntilMs`; undefined when they are not due, or
 * somebody else has it. Of any number of attempts at once, on any number of nodes, one succeeds.
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
