import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SubscriptionState } from '../tables/billing-tables.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import type { StaffTransaction } from './change-staff-status.js';
import { type ImportOutcome, importProblems, insertNew, listIdsThere } from './insert-imported-rows.js';

/** An account of another system. It keeps its id, because tokens contain it. */
export type ImportedAccount = Pick<
  Tables['accounts']['$inferSelect'],
  'id' | 'name' | 'nameKey' | 'ownerId' | 'isDeleted' | 'deletedAtMs' | 'createdAtMs' | 'updatedAtMs'
>;

/** Adds accounts that are new and whose owner exists. Leaves existing ones unchanged. */
export async function importAccounts(
  tx: AccessTransaction,
  rows: readonly ImportedAccount[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { accounts } = tx.tables;
  const owners = await listIdsThere(
    tx,
    tx.tables.members,
    rows.map((row) => row.ownerId),
  );
  const checkOwner = (there: ReadonlyMap<number, number>) => (row: ImportedAccount) => {
    if (!owners.has(row.ownerId)) return importProblems.noOwner(row.ownerId);
    const knownOwner = there.get(row.id);
    if (knownOwner === undefined) return undefined;
    return knownOwner === row.ownerId ? 'there' : importProblems.accountIsAnother(row.id);
  };
  return insertNew(tx, accounts, rows, {
    check: checkOwner(await listOwnersOf(tx, rows)),
    checkAgain: async (row) => checkOwner(await listOwnersOf(tx, [row]))(row),
  });
}

/** The owners of those accounts that exist, by account id. */
export async function listOwnersOf(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const { id, ownerId } = db.tables.accounts;
  const found = await db
    .select({ id, ownerId })
    .from(db.tables.accounts)
    .where(
      inArray(
        id,
        rows.map((row) => row.id),
      ),
    );
  return new Map(found.map((row) => [row.id, row.ownerId]));
}

/** A membership in another system. */
export type ImportedMembership = Pick<
  Tables['memberships']['$inferSelect'],
  'memberId' | 'accountId' | 'roleType' | 'isDeleted' | 'active' | 'createdAtMs' | 'updatedAtMs'
>;

/**
 * Adds new memberships and leaves existing ones unchanged. It locks the members, so that a change of name
 * cannot miss the new memberships, which contain the name.
 */
export async function importMemberships(
  tx: AccessTransaction,
  rows: readonly ImportedMembership[],
  nowMs: number,
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { memberships, accounts } = tx.tables;
  const memberIds = [...new Set(rows.map((row) => row.memberId))];
  const known = await tx
    .select({ memberId: memberships.memberId, accountId: memberships.accountId })
    .from(memberships)
    .where(inArray(memberships.memberId, memberIds));
  const there = new Set(known.map(membershipKey));
  const newcomers = rows.filter((row) => !there.has(membershipKey(row))).map((row) => row.memberId);
  const names = await lockNames(tx, newcomers, nowMs);
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );
  const named = rows.map((row) => ({ name: names.get(row.memberId) ?? null, ...row }));
  return insertNew(tx, memberships, named, {
    check(row) {
      if (there.has(membershipKey(row))) return 'there';
      if (!names.has(row.memberId)) return importProblems.noMember(row.memberId);
      return accountIds.has(row.accountId) ? undefined : importProblems.noAccount(row.accountId);
    },
  });
}

/** The names of members by id, null for deleted ones. The rows are locked until the transaction ends. */
async function lockNames(
  tx: AccessTransaction,
  memberIds: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, string | null>> {
  if (memberIds.length === 0) return new Map();
  const { members } = tx.tables;
  const areTheirs = inArray(members.id, [...new Set(memberIds)]);
  await tx.write(tx.update(members).set({ updatedAtMs: nowMs }).where(areTheirs));
  const { id, usernameKey, isDeleted } = members;
  const rows = await tx.select({ id, usernameKey, isDeleted }).from(members).where(areTheirs);
  return new Map(rows.map((row) => [row.id, row.isDeleted ? null : row.usernameKey]));
}

function membershipKey({ memberId, accountId }: { memberId: number; accountId: number }): string {
  return `${memberId} ${accountId}`;
}

/** A staff member's access to an account in another system. */
export type ImportedGrant = Pick<
  Tables['personnelGrants']['$inferSelect'],
  'personnelId' | 'accountId' | 'isDeleted' | 'active' | 'createdAtMs' | 'updatedAtMs'
>;

/** Adds new grants and leaves existing ones unchanged. */
export async function importGrants(
  tx: StaffTransaction,
  rows: readonly ImportedGrant[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { personnelGrants, accounts } = tx.tables;
  const personnelIds = [...new Set(rows.map((row) => row.personnelId))];
  const staff = await listStaffToGrant(tx, personnelIds);
  const known = await tx
    .select({ personnelId: personnelGrants.personnelId, accountId: personnelGrants.accountId })
    .from(personnelGrants)
    .where(inArray(personnelGrants.personnelId, personnelIds));
  const there = new Set(known.map(grantKey));
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );

  return insertNew(tx, personnelGrants, rows, {
    check(row) {
      const { personnelId, accountId } = row;
      if (!staff.has(personnelId)) return importProblems.noStaff(personnelId);
      if (!accountIds.has(accountId)) return importProblems.noAccount(accountId);
      if (there.has(grantKey(row))) return 'there';
      return staff.get(personnelId) === true ? undefined : importProblems.unprovenStaff(personnelId);
    },
  });
}

/** Staff by id, and whether they may be granted more: only those whose sign-in is proven to be the owner's. */
export async function listStaffToGrant(
  db: Database,
  personnelIds: readonly number[],
): Promise<ReadonlyMap<number, boolean>> {
  const { id, hasPassword, isPersonnel, ownerProvenAtMs } = db.tables.members;
  const rows = await db
    .select({ id, hasPassword, ownerProvenAtMs })
    .from(db.tables.members)
    .where(and(inArray(id, [...personnelIds]), eq(isPersonnel, true)));
  return new Map(rows.map((row) => [row.id, row.ownerProvenAtMs !== null || !row.hasPassword]));
}

function grantKey({ personnelId, accountId }: { personnelId: number; accountId: number }): string {
  return `${personnelId} ${accountId}`;
}

/** The state of an account's subscription. Later events of its provider customer change it further. */
export interface ImportedSubscription {
  accountId: number;
  state: SubscriptionState;
  trialEndsAtMs: number | null;
  provider: string | null;
  providerCustomerId: string | null;
  providerSubscriptionId: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds subscriptions of accounts that have none, and leaves existing ones unchanged. */
export async function importSubscriptions(
  tx: AccessTransaction,
  rows: readonly ImportedSubscription[],
): Promise<ImportOutcome[]> {
  const { accounts, subscriptions } = tx.tables;
  const ids = rows.map((row) => row.accountId);
  if (ids.length === 0) return [];
  const known = await tx
    .select({ accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(inArray(subscriptions.accountId, ids));
  const there = new Set(known.map((row) => row.accountId));
  const accountIds = await listIdsThere(tx, accounts, ids);
  return insertNew(tx, subscriptions, rows, {
    check({ accountId }) {
      if (!accountIds.has(accountId)) return importProblems.noAccount(accountId);
      return there.has(accountId) ? 'there' : undefined;
    },
  });
}
