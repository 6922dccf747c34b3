import { and, eq, gt, isNull, ne, or } from 'drizzle-orm';
import { TransactionConflictError } from '../../transaction-conflict-error.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { changeAccess } from '../access/change-access.js';
import { setAccountPolicy } from '../account-policy/account-policy.js';
import { isAnswerable } from '../invitation/answerable.js';
import { amongIds } from '../page/among-ids.js';
import { listPlantedAccountIds } from './lock-planted-accounts.js';

const NO_POLICY = { requiredLevel: 1, requiredFromMs: null, requiredUntilThen: 1 };

/** What somebody left behind who had registered another person's address. */
export interface Planted {
  /** How many invitations were revoked. */
  invitations: number;
  /** The memberships of others that were switched off, by account. */
  memberships: { accountId: number; memberId: number }[];
  /** The accounts that asked for a level of authentication, and for which. They ask for none now. */
  policies: { accountId: number; requiredLevel: number }[];
  /** How many partners may no longer sign the member on. */
  partners: number;
}

/**
 * Revokes the invitations that a member has sent, and switches off the memberships of others in the accounts that only this
 * member has owned, and the links to partners, until the proven owner decides. Those accounts ask for no level any more: the owner
 * may have no factor for what somebody else has set. The member's row is locked.
 * @param lockedAccounts what `lockPlantedAccounts` locked
 * @throws {TransactionConflictError} if another account was opened meanwhile: the transaction runs again
 */
export async function suspendPlanted(
  tx: AccessTransaction,
  { memberId, lockedAccounts, nowMs }: { memberId: number; lockedAccounts: readonly number[]; nowMs: number },
): Promise<Planted> {
  const { accounts, invitations, memberships, partnerMembers } = tx.tables;
  const accountIds = await listPlantedAccountIds(tx, memberId);
  if (accountIds.some((id) => !lockedAccounts.includes(id))) throw new TransactionConflictError();
  const revoked = await tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedById: memberId, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.inviterId, memberId), isAnswerable(tx.tables, nowMs))),
  );
  const isOthers = and(
    amongIds(tx, memberships.accountId, accountIds),
    ne(memberships.memberId, memberId),
    eq(memberships.active, true),
    // Deleted members bring theirs back when they are restored.
    or(eq(memberships.isDeleted, false), eq(memberships.endedWithMember, true)),
  );
  const { accountId, memberId: holder } = memberships;
  const held = await tx.select({ accountId, memberId: holder }).from(memberships).where(isOthers);
  await tx.write(
    tx.update(memberships).set({ active: false, heldSinceMs: nowMs, updatedAtMs: nowMs }).where(isOthers),
  );
  const partners = await tx.write(
    tx
      .update(partnerMembers)
      .set({ consentedAtMs: null, heldSinceMs: nowMs })
      .where(and(eq(partnerMembers.memberId, memberId), isNull(partnerMembers.heldSinceMs))),
  );
  const { id, requiredLevel } = accounts;
  const asksLevel = and(amongIds(tx, id, accountIds), gt(requiredLevel, 1));
  const policies = await tx.select({ accountId: id, requiredLevel }).from(accounts).where(asksLevel);
  for (const { accountId: policedId } of policies)
    await setAccountPolicy(tx, { accountId: policedId, nowMs, ...NO_POLICY });
  const holders = [...new Set(held.map((each) => each.memberId))];
  const policed = policies.map((each) => each.accountId);
  await changeAccess(tx, { members: holders, accounts: policed }, () => Promise.resolve());
  return { invitations: revoked, memberships: held, policies, partners };
}
