import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Forgets what providers gave and told about a member, tokens first, and keeps whose identities they are, so that nobody
 * comes back by one as somebody else. A renewal that is under way loses its lease and cannot put a token back.
 */
export async function clearMemberConnections(
  tx: Database,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { socialConnections } = tx.tables;
  await tx.write(
    tx
      .update(socialConnections)
      .set({
        email: null,
        displayName: null,
        accessToken: null,
        refreshToken: null,
        tokenStatus: 'revoked',
        scopes: null,
        fbAccounts: null,
        igAccounts: null,
        lnAccounts: null,
        twtAccounts: null,
        detail: null,
        expiresAtMs: null,
        renewDueAtMs: null,
        leaseToken: null,
        leaseUntilMs: null,
        lastError: null,
        updatedAtMs: nowMs,
      })
      .where(eq(socialConnections.memberId, memberId)),
  );
}
