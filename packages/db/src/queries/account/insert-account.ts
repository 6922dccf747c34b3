import type { AccessTransaction } from '../access/access-transaction.js';
import { setMembership } from '../membership/set-membership.js';

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
