import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Gives a staff member a new auth_token, which replaces the old one. A null `token` removes it. */
export async function setAuthToken(
  tx: AccessTransaction,
  change: { memberId: number; token: { digest: string; expiresAtMs: number } | null; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, token, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        authTokenDigest: token?.digest ?? null,
        authTokenExpiresAtMs: token?.expiresAtMs ?? null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.isDeleted, false),
          token === null ? undefined : eq(members.isPersonnel, true),
        ),
      ),
  );
  return rows === 1;
}
