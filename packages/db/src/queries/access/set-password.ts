import { eq } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/**
 * Gives a member another password. The auth_token ends with the old one; which sessions end is the caller's to say
 * (`endAllSessions`).
 */
export async function setPassword(
  tx: AccessTransaction,
  { memberId, hash, nowMs }: { memberId: number; hash: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        password: hash,
        passwordChangedAtMs: nowMs,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(eq(members.id, memberId)),
  );
  return rows === 1;
}
