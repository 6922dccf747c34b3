import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { TokenStatus } from '../../tables/social-connections.js';

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
