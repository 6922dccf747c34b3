import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
