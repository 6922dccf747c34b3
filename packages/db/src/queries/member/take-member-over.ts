import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';
import { removeLoneFactors } from '../second-factor/remove-lone-factors.js';
import { endAllSessions, type KeptSession } from '../session/end-all-sessions.js';
import { type Planted, suspendPlanted } from '../takeover/suspend-planted.js';

/** A person who proved a member's address, and the credentials to keep. */
export interface TakeOver {
  memberId: number;
  /** The replacement for the old password. */
  password: string;
  /** Whether somebody knows the password. */
  hasPassword: boolean;
  /** What `lockPlantedAccounts` locked at the beginning of the transaction. */
  lockedAccounts: readonly number[];
  /** The session that has just begun. */
  keep?: KeptSession;
  nowMs: number;
}

/** What a take-over ended. */
export interface TakenOver extends Planted {
  /** How many profiles of providers were removed. */
  connections: number;
  /** How many passkeys and authenticator apps were removed. */
  factors: number;
}

/**
 * Ends every credential of a member whose owner was never proven: the password, sessions, auth_token, provider
 * profiles, a pending address and familiar addresses. Passkeys, an authenticator app and backup codes
 * end too, unless an app or a passkey is the second step: whoever took over has passed it then, or has yet to. What the
 * member let in is held (`suspendPlanted`). The owner counts as proven from now on, and the address as confirmed, so this
 * happens once.
 * @returns what was removed and held, undefined when the owner was proven before
 */
export async function takeMemberOver(
  tx: AccessTransaction,
  { memberId, password, hasPassword, lockedAccounts, keep, nowMs }: TakeOver,
): Promise<TakenOver | undefined> {
  const { loginFamiliarity, members, socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        ownerProvenAtMs: nowMs,
        password,
        passwordIsPlain: false,
        hasPassword,
        passwordRounds: null,
        passwordListedAtMs: null,
        passwordChangedAtMs: nowMs,
        ...NO_PENDING_ADDRESS,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isNull(members.ownerProvenAtMs))),
  );
  if (rows === 0) return undefined;
  await endAllSessions(tx, memberId, { nowMs, ...(keep ? { keep } : {}) });
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, memberId)));
  const connections = await tx.write(
    tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)),
  );
  const factors = await removeLoneFactors(tx, { memberId, nowMs });
  return { connections, factors, ...(await suspendPlanted(tx, { memberId, lockedAccounts, nowMs })) };
}
