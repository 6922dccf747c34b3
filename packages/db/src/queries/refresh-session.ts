import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import { MAX_DEVICE_LENGTH } from '../tables/session-tables.js';
import type { AccessTransaction } from './change-access.js';
import type { KeptSession } from './revoke-sessions.js';

/** The token that replaced another. */
export interface Successor {
  jti: string;
  expiresAtMs: number;
  /** When the token it replaced ends. */
  retiresAtMs: number;
}

/** The successor of a token; undefined while it was not refreshed. */
export async function findSuccessor(db: Database, tokenKey: string): Promise<Successor | undefined> {
  const { sessions } = db.tables;
  const { successorJti, successorExpiresAtMs, retiresAtMs } = sessions;
  const [row] = await db
    .select({ jti: successorJti, expiresAtMs: successorExpiresAtMs, retiresAtMs })
    .from(sessions)
    .where(eq(sessions.tokenKey, tokenKey));
  if (row === undefined) return undefined;
  const { jti, expiresAtMs, retiresAtMs: endsAtMs } = row;
  return jti === null || expiresAtMs === null || endsAtMs === null
    ? undefined
    : { jti, expiresAtMs, retiresAtMs: endsAtMs };
}

/**
 * Gives a session a new token: a row of the same family, with its times, methods and partner. The old token ends at
 * `retiresAtMs`. For a token that was already refreshed, returns its successor. A token without a session row gets one first. The
 * caller has locked the member, so the session cannot end meanwhile.
 * @param session the session of the old token, which is open
 * @param next the new token
 */
export async function refreshSession(
  tx: AccessTransaction,
  memberId: number,
  {
    session,
    issuedAtMs,
    absoluteUntilMs,
    nowMs,
    next,
  }: {
    session: KeptSession;
    issuedAtMs: number;
    absoluteUntilMs: number;
    nowMs: number;
    next: Successor & { tokenKey: string };
  },
): Promise<Successor> {
  const { members, sessions } = tx.tables;
  const { tokenKey } = session;
  const find = async () => {
    const [row] = await tx.select().from(sessions).where(eq(sessions.tokenKey, tokenKey));
    return row;
  };
  let row = await find();
  if (row === undefined) {
    const [member] = await tx
      .select({ epoch: members.sessionEpoch })
      .from(members)
      .where(eq(members.id, memberId));
    await tx.insertOnce(sessions, {
      ...session,
      memberId,
      epoch: member?.epoch ?? 0,
      device: storableBeginning(session.device, MAX_DEVICE_LENGTH),
      createdAtMs: issuedAtMs,
      lastSeenAtMs: nowMs,
    });
    row = await find();
  }
  if (row === undefined) throw new Error('The session of a token that was just inserted is gone');
  const { jti, expiresAtMs, retiresAtMs } = next;
  const isFirst = await tx.write(
    tx
      .update(sessions)
      .set({ successorJti: jti, successorExpiresAtMs: expiresAtMs, retiresAtMs })
      .where(and(eq(sessions.id, row.id), isNull(sessions.successorJti), isNull(sessions.endedAtMs))),
  );
  if (isFirst === 0) {
    const known = await findSuccessor(tx, tokenKey);
    if (known === undefined) throw new Error('A session ended while its member was locked');
    return known;
  }
  const { id, kind, epoch, partnerId, device, address, createdAtMs, familyId, deviceName } = row;
  const { verifiedAtMs, verifiedLevel, amr, level, authTimeMs, recoveryId, ssoLoginId } = row;
  await tx.insert(sessions, {
    tokenKey: next.tokenKey,
    memberId,
    kind,
    epoch,
    partnerId,
    ssoLoginId,
    device,
    address,
    deviceName,
    createdAtMs,
    lastSeenAtMs: nowMs,
    isCounted: row.isCounted,
    expiresAtMs,
    verifiedAtMs,
    verifiedLevel,
    amr,
    level,
    recoveryId,
    authTimeMs: authTimeMs ?? createdAtMs,
    familyId: familyId ?? id,
    absoluteUntilMs,
  });
  return next;
}

/** Consumes a one-use token; true for exactly one of any number of attempts, on any node. */
export async function consumeToken(
  tx: Database,
  { tokenKey, expiresAtMs }: { tokenKey: string; expiresAtMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.revocations, { tokenKey, expiresAtMs });
}

/** Whether a one-use token was consumed, while its row is kept. */
export async function isTokenConsumed(db: Database, tokenKey: string): Promise<boolean> {
  const { revocations } = db.tables;
  const rows = await db
    .select({ tokenKey: revocations.tokenKey })
    .from(revocations)
    .where(eq(revocations.tokenKey, tokenKey));
  return rows.length > 0;
}
