import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/** A password reset, with the member's state when it was requested. */
export interface PasswordReset {
  memberId: number;
  /** The key of the address the link went to. */
  emailKey: string;
  /** When the forgotten password was set; null if it was never changed. */
  passwordChangedAtMs: number | null;
  hash: string;
  nowMs: number;
}

/**
 * Gives a member who proved their address a new password. This confirms the address and cancels a pending
 * one. False if the address or password changed since the link was created, or the member is gone.
 */
export async function resetPassword(tx: AccessTransaction, reset: PasswordReset): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, emailKey, passwordChangedAtMs, hash, nowMs } = reset;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        password: hash,
        hasPassword: true,
        passwordRounds: null,
        passwordListedAtMs: null,
        passwordChangedAtMs: nowMs,
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        ...NO_PENDING_ADDRESS,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.emailKey, emailKey),
          passwordChangedAtMs === null
            ? isNull(members.passwordChangedAtMs)
            : eq(members.passwordChangedAtMs, passwordChangedAtMs),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}
