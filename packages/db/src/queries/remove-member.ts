import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { isLeaving, isProven, NO_PENDING_ADDRESS } from './member-columns.js';

/**
 * Erases a member's provider data, tokens first, but keeps the identities: nobody else can sign up with one. A
 * running renewal loses its lease and cannot restore a token.
 */
async function clearMemberConnections(
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

/**
 * Soft-deletes a member. The address, username and provider identities stay reserved; the identities' tokens
 * are removed. False if they were already deleted.
 * @param removal `deletedById` is the member of staff who deletes them
 */
export async function removeMember(
  tx: AccessTransaction,
  { memberId, deletedById, nowMs }: { memberId: number; deletedById?: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        isDeleted: true,
        deletedAtMs: nowMs,
        deletedById: deletedById ?? null,
        updatedAtMs: nowMs,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
      })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
  if (rows === 0) return false;
  await clearMemberConnections(tx, { memberId, nowMs });
  return true;
}

/**
 * Stops a member who deleted themselves from coming back. They are erased at the time that was set, and staff can restore them
 * until then. False if staff did it earlier, or the member did not delete themselves.
 */
export async function removeLeavingMember(
  tx: AccessTransaction,
  { memberId, deletedById, nowMs }: { memberId: number; deletedById: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ deletedById, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), isLeaving(tx.tables), isNull(members.deletedById))),
  );
  return rows === 1;
}

/**
 * Deletes a member at their own request, and marks the memberships that ended with them. They can come back
 * until they are erased. An address that its owner never proved is free at once: it may be somebody else's. False if they
 * were already deleted.
 */
export async function deleteOwnMember(
  tx: AccessTransaction,
  { memberId, erasesAtMs, nowMs }: { memberId: number; erasesAtMs: number; nowMs: number },
): Promise<boolean> {
  if (!(await removeMember(tx, { memberId, nowMs }))) return false;
  const { members, memberships } = tx.tables;
  const { sid, username, email, emailConfirmedAtMs, ownerProvenAtMs } = members;
  const [row] = await tx
    .select({ sid, username, email, emailConfirmedAtMs, ownerProvenAtMs })
    .from(members)
    .where(eq(members.id, memberId));
  await tx.write(
    tx
      .update(members)
      .set({
        erasesAtMs,
        ...NO_PENDING_ADDRESS,
        ...(row === undefined || isProven(row) ? {} : withoutAddress(row)),
      })
      .where(eq(members.id, memberId)),
  );
  await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: true, endedWithMember: true, updatedAtMs: nowMs })
      .where(and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false))),
  );
  return true;
}

/** Also frees a login identifier and a username that are an address. */
function withoutAddress({ sid, username }: { sid: string; username: string }) {
  const anonymous = `deleted:${randomUUID()}`;
  return {
    email: null,
    emailKey: null,
    emailConfirmedAtMs: null,
    ownerProvenAtMs: null,
    ...(sid.includes('@') ? { sid: anonymous, sidKey: anonymous } : {}),
    ...(username.includes('@') ? { username: anonymous, usernameKey: anonymous } : {}),
  };
}

/**
 * Ends every membership, grant and affiliate record of a member, and marks each for a possible restoration.
 */
export async function endMemberAccess(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { memberships, personnelGrants, affiliates } = tx.tables;
  const gone = { isDeleted: true, endedWithMember: true, updatedAtMs: nowMs };
  await tx.write(
    tx
      .update(memberships)
      .set(gone)
      .where(and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false))),
  );
  await tx.write(
    tx
      .update(personnelGrants)
      .set(gone)
      .where(and(eq(personnelGrants.personnelId, memberId), eq(personnelGrants.isDeleted, false))),
  );
  await tx.write(
    tx
      .update(affiliates)
      .set({ active: false, endedWithMember: true, updatedAtMs: nowMs })
      .where(and(eq(affiliates.memberId, memberId), eq(affiliates.active, true))),
  );
}
