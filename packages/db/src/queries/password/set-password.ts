import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Changes a member's password, unless the stored one is not the expected one. Returns whether it did. The
 * auth_token ends; the caller ends sessions (`endAllSessions`).
 */
export async function setPassword(
  tx: AccessTransaction,
  change: { memberId: number; hash: string; nowMs: number; expectedPassword?: string },
): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, hash, nowMs, expectedPassword } = change;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        password: hash,
        passwordIsPlain: false,
        hasPassword: true,
        passwordRounds: null,
        passwordListedAtMs: null,
        passwordChangedAtMs: nowMs,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          expectedPassword === undefined ? undefined : eq(members.password, expectedPassword),
        ),
      ),
  );
  return rows === 1;
}
