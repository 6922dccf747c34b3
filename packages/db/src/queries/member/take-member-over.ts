import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';
import { removeLoneFactors } from '../second-factor/remove-lone-factors.js';
import { endAllSessions, type KeptSession } from '../session/end-all-sessions.js';

/** A person who proved a member's address, and the credentials to keep. */
export interface TakeOver {
  memberId: number;
  /** The replacement for the old password. */
  password: string;
  /** Whether somebody knows the password. */
  hasPassword: boolean;
  /** The session that has just begun. */
  keep?: KeptSession;
  nowMs: number;
}

/**
 * Ends every credential of a member whose owner was never proven: the password, sessions, auth_token, provider
 * profiles, a pending address, partner consents and familiar addresses. Passkeys, an authenticator app and backup codes
 * end too, unless an app or a passkey is the second step: whoever took over has passed it then, or has yet to. The owner
 * counts as proven from now on, so this happens once.
 * @returns how many profiles and factors were removed, undefined when the owner was proven before
 */
export async function takeMemberOver(
  tx: AccessTransaction,
  { memberId, password, hasPassword, keep, nowMs }: TakeOver,
): Promise<{ connections: number; factors: number } | undefined> {
  const { loginFamiliarity, members, partnerMembers, socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        ownerProvenAtMs: nowMs,
        password,
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
  // Without a session to keep, it was a join by a provider, which seals a login token.
  await endAllSessions(tx, memberId, { nowMs, ...(keep ? { keep } : { sealsToken: true }) });
  await tx.write(
    tx.update(partnerMembers).set({ consentedAtMs: null }).where(eq(partnerMembers.memberId, memberId)),
  );
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, memberId)));
  const connections = await tx.write(
    tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)),
  );
  return { connections, factors: await removeLoneFactors(tx, { memberId, nowMs }) };
}
