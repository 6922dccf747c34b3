import { and, eq, gt, sql } from 'drizzle-orm';
import type { AccessTransaction } from './change-access.js';
import { databaseTime } from './database-clock.js';
import { setMembership } from './memberships.js';
import { inIds } from './paging.js';

/** Opens an account owned by a member. Its subscription is a trial, or expired without one. */
export async function insertAccount(
  tx: AccessTransaction,
  account: {
    name: string;
    nameKey: string;
    ownerId: number;
    roleType: number;
    /** Null for an account without a trial. */
    trialEndsAtMs: number | null;
    nowMs: number;
  },
): Promise<number> {
  const { accounts, subscriptions } = tx.tables;
  const { name, nameKey, ownerId, roleType, trialEndsAtMs, nowMs } = account;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const accountId = await tx.insert(accounts, { name, nameKey, ownerId, openedById: ownerId, ...written });
  await setMembership(tx, { memberId: ownerId, accountId, roleType, nowMs });
  await tx.insert(subscriptions, {
    accountId,
    state: trialEndsAtMs === null ? 'expired' : 'trialing',
    trialEndsAtMs,
    ...written,
  });
  return accountId;
}

/** Renames an open account. */
export async function setAccountName(
  tx: AccessTransaction,
  change: { accountId: number; name: string; nameKey: string; nowMs: number },
): Promise<void> {
  const { accounts } = tx.tables;
  const { accountId, name, nameKey, nowMs } = change;
  await tx.write(
    tx
      .update(accounts)
      .set({ name, nameKey, updatedAtMs: nowMs })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, false))),
  );
}

/** Changes the primary owner of an open account. False when the current one is not the expected one. */
export async function setAccountOwner(
  tx: AccessTransaction,
  change: { accountId: number; ownerId: number; expectedOwnerId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const { accountId, ownerId, expectedOwnerId, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ ownerId, updatedAtMs: nowMs })
      .where(
        and(eq(accounts.id, accountId), eq(accounts.ownerId, expectedOwnerId), eq(accounts.isDeleted, false)),
      ),
  );
  return rows === 1;
}

/**
 * Writes the account rows of changed members. Each value is new, because a cluster only notices conflicts
 * between real changes.
 */
export async function writeAccountRows(
  tx: AccessTransaction,
  accountIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (accountIds.length === 0) return;
  const { accounts } = tx.tables;
  const { updatedAtMs } = accounts;
  const later = sql`case when ${updatedAtMs} >= ${nowMs} then ${updatedAtMs} + 1 else ${nowMs} end`;
  await tx.write(
    tx
      .update(accounts)
      .set({ updatedAtMs: later })
      .where(inIds(tx, accounts.id, accountIds)),
  );
}

/**
 * Closes an account to everybody. False if it was closed before. Memberships are kept, so that it can be
 * reopened until `erasesAtMs`.
 */
export async function shutAccount(
  tx: AccessTransaction,
  closing: {
    accountId: number;
    closedById: number;
    /** The member whose deletion closes the account. */
    closedWithMemberId?: number;
    erasesAtMs: number;
    nowMs: number;
  },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const { accountId, closedById, closedWithMemberId = null, erasesAtMs, nowMs } = closing;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({
        isDeleted: true,
        deletedAtMs: nowMs,
        closedById,
        closedWithMemberId,
        erasesAtMs,
        erasureNotifiedAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, false))),
  );
  return rows === 1;
}

/** Reopens a closed account for its members. False when it is not closed, or its content is due for erasure. */
export async function reopenAccount(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({
        isDeleted: false,
        deletedAtMs: null,
        closedById: null,
        closedWithMemberId: null,
        erasesAtMs: null,
        erasureNotifiedAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(accounts.id, accountId),
          eq(accounts.isDeleted, true),
          gt(accounts.erasesAtMs, nowMs),
          gt(accounts.erasesAtMs, databaseTime(tx)),
        ),
      ),
  );
  return rows === 1;
}
