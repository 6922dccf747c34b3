import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Erases a member's provider data, tokens first, but keeps the identities: nobody else can sign up with one. A
 * running renewal loses its lease and cannot restore a token.
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
