import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { PendingAwaits } from '../tables/member-tables.js';
import type { AccessTransaction } from './change-access.js';
import { isActiveMember, NO_PENDING_ADDRESS } from './member-columns.js';
import { isDomainOfAccount } from './sso-domains.js';

/**
 * Stores the address a member wants. It takes effect once every awaited mailbox agrees. `awaits` is null when staff request the
 * change, which awaits only the new mailbox. False when the member is gone.
 */
export async function setPendingAddress(
  tx: AccessTransaction,
  address: { memberId: number; email: string; emailKey: string; awaits: PendingAwaits | null; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        pendingEmail: address.email,
        pendingEmailKey: address.emailKey,
        pendingAwaits: address.awaits,
        pendingSinceMs: address.nowMs,
        pendingEffectiveAtMs: null,
        updatedAtMs: address.nowMs,
      })
      .where(and(eq(members.id, address.memberId), eq(members.isDeleted, false))),
  );
  return rows === 1;
}

/**
 * Records which mailboxes a change of address still awaits. False unless both were awaited, or what `from` says, for this
 * address.
 */
export async function setPendingAwaits(
  tx: AccessTransaction,
  change: {
    memberId: number;
    emailKey: string;
    awaits: Exclude<PendingAwaits, 'both'>;
    from?: PendingAwaits;
    nowMs: number;
  },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        pendingAwaits: change.awaits,
        // The old mailbox has agreed for good.
        ...(change.awaits === 'new' ? { pendingEffectiveAtMs: null } : {}),
        updatedAtMs: change.nowMs,
      })
      .where(
        and(
          eq(members.id, change.memberId),
          eq(members.pendingEmailKey, change.emailKey),
          eq(members.pendingAwaits, change.from ?? 'both'),
          isActiveMember(tx.tables, change.nowMs),
        ),
      ),
  );
  return rows === 1;
}

/**
 * Records that a member proved their current address. False if the address or the member is gone. A repeated
 * proof does not change the recorded time.
 */
export async function confirmAddress(
  tx: AccessTransaction,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), eq(members.emailKey, emailKey), isActiveMember(tx.tables, nowMs))),
  );
  return rows === 1;
}

/**
 * Replaces a member's address by the pending one that they have proved. The login identifier changes too if it was the old
 * address, or if there was none. The proof of ownership applied to the old address and is cleared, and pending sign-ins, which
 * may have proved it, do not get their session. An account no longer manages the member unless the address is in one of its
 * domains. False if another address is pending, or the member is gone.
 * @throws {DuplicateKeyError} if somebody else has that address by now
 */
export async function consumePendingAddress(
  tx: AccessTransaction,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const waiting = and(
    eq(members.id, memberId),
    eq(members.pendingEmailKey, emailKey),
    isActiveMember(tx.tables, nowMs),
  );
  const { sidKey, emailKey: oldKey, pendingEmail, managedByAccountId } = members;
  const [row] = await tx
    .select({ sidKey, oldKey, pendingEmail, managedByAccountId })
    .from(members)
    .where(waiting);
  if (row === undefined || row.pendingEmail === null) return false;
  const email = row.pendingEmail;
  const accountId = row.managedByAccountId;
  const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1);
  const isManaged = accountId !== null && (await isDomainOfAccount(tx, { accountId, domain }));
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        email,
        emailKey,
        emailConfirmedAtMs: nowMs,
        ownerProvenAtMs: null,
        ...(isManaged ? {} : { managedByAccountId: null }),
        factorEpoch: sql`${members.factorEpoch} + 1`,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
        ...(row.oldKey === null || row.sidKey === row.oldKey ? { sid: email, sidKey: emailKey } : {}),
      })
      .where(and(waiting, eq(sidKey, row.sidKey))),
  );
  return rows === 1;
}

/** Cancels a pending change of address. False when there was none. */
export async function clearPendingAddress(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ ...NO_PENDING_ADDRESS, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), isNotNull(members.pendingEmail))),
  );
  return rows === 1;
}

/** A change of address that the old mailbox agreed to without a proof. */
export interface AgreedLater {
  memberId: number;
  /** When the change was requested, which identifies it. */
  sinceMs: number;
}

/** The changes of address whose hour is over, at most `limit`. */
export async function listAgreedLater(
  db: Database,
  { byMs, limit }: { byMs: number; limit: number },
): Promise<AgreedLater[]> {
  const { id, pendingSinceMs, pendingEffectiveAtMs } = db.tables.members;
  const rows = await db
    .select({ memberId: id, sinceMs: pendingSinceMs })
    .from(db.tables.members)
    .where(and(isNotNull(pendingEffectiveAtMs), lte(pendingEffectiveAtMs, byMs)))
    .orderBy(asc(pendingEffectiveAtMs))
    .limit(limit);
  return rows.map(({ memberId, sinceMs }) => ({ memberId, sinceMs: sinceMs ?? 0 }));
}

/** Stores when the agreement of the old mailbox takes effect. False if it was stored before, or another change is pending. */
export async function agreeLater(
  tx: AccessTransaction,
  { memberId, sinceMs, effectiveAtMs, nowMs }: AgreedLater & { effectiveAtMs: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ pendingEffectiveAtMs: effectiveAtMs, updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.pendingSinceMs, sinceMs),
          isNull(members.pendingEffectiveAtMs),
        ),
      ),
  );
  return rows === 1;
}

/** Drops an agreement that has not taken effect. The change stays pending, and awaits the old mailbox. */
export async function dropAgreement(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ pendingEffectiveAtMs: null, updatedAtMs: nowMs })
      .where(eq(members.id, memberId)),
  );
}
