import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/** A password reset, with the member's state when it was requested. */
export interface PasswordReset {
  memberId: number;
  /** The key of the address the link went to. */
  emailKey: string;
  /** When the forgotten password was set; null if it was never changed, undefined if somebody who was not proven knew it. */
  passwordChangedAtMs: number | null | undefined;
  hash: string;
  nowMs: number;
}

/**
 * Gives a member who proved their address a new password. This confirms the address and cancels a pending
 * one. False if the address changed since the link was created, the member is gone, or the password changed. In place of that,
 * with a password of somebody who was not proven: if they were proven since, or nobody knows the password any more.
 */
export async function resetPassword(tx: AccessTransaction, reset: PasswordReset): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, emailKey, passwordChangedAtMs, hash, nowMs } = reset;
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
          isSamePassword(tx, passwordChangedAtMs),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}

function isSamePassword({ tables }: AccessTransaction, changedAtMs: number | null | undefined) {
  const { emailConfirmedAtMs, hasPassword, ownerProvenAtMs, passwordChangedAtMs } = tables.members;
  if (changedAtMs === undefined)
    return and(eq(hasPassword, true), or(isNull(ownerProvenAtMs), isNull(emailConfirmedAtMs)));
  return changedAtMs === null ? isNull(passwordChangedAtMs) : eq(passwordChangedAtMs, changedAtMs);
}
