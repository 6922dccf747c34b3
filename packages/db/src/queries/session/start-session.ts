import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE, type SessionKind } from '../../tables/sessions.js';
import { isActiveMember } from '../access/is-active-member.js';

/** A verified login and its token. */
export interface NewSession {
  memberId: number;
  /** The stored password that was checked. */
  expectedPassword: string;
  /** The count of factor changes that the login was checked against. */
  expectedFactorEpoch: number;
  /** How the login was authenticated, separated by blanks, and the level of that. */
  amr: string;
  level: number;
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  /** The recovery whose ticket began it; such a session may add a second factor, and nothing else. */
  recoveryId?: number | null;
  /** The partner of this sign-on. */
  partnerId: number | null;
  nowMs: number;
  expiresAtMs: number;
  /** When the session ends, however often its token is refreshed. */
  absoluteUntilMs?: number;
}

/**
 * Creates the session of a login. Undefined when the member was deleted or archived, or the password or a second
 * factor changed, since the check. The deciding update also locks the member's row until the transaction ends.
 */
export async function startSession(tx: Database, login: NewSession): Promise<{ id: number } | undefined> {
  const { members, sessions } = tx.tables;
  const { memberId, expectedPassword, expectedFactorEpoch, device, nowMs, ...session } = login;
  const unchanged = await tx.write(
    tx
      .update(members)
      .set({ lastLoginAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.password, expectedPassword),
          eq(members.factorEpoch, expectedFactorEpoch),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  if (unchanged === 0) return undefined;
  const [member] = await tx
    .select({ epoch: members.sessionEpoch })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return undefined;
  const id = await tx.insert(sessions, {
    ...session,
    memberId,
    epoch: member.epoch,
    device: storableBeginning(device, LONGEST_DEVICE),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    verifiedAtMs: login.partnerId === null ? nowMs : null,
    verifiedLevel: login.level,
    authTimeMs: nowMs,
  });
  return { id };
}
