import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import { insertNew } from './insert-new.js';
import { listIdsThere } from './list-ids-there.js';

/** A membership in another system. */
export interface ImportedMembership {
  memberId: number;
  accountId: number;
  roleType: number;
  isDeleted: boolean;
  active: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

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
  const there = new Set(known.map(keyOf));
  const newcomers = rows.filter((row) => !there.has(keyOf(row))).map((row) => row.memberId);
  const names = await lockNames(tx, newcomers, nowMs);
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );
  const named = rows.map((row) => ({ name: names.get(row.memberId) ?? null, ...row }));
  return insertNew(tx, memberships, named, {
    judge(row) {
      if (there.has(keyOf(row))) return 'there';
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

function keyOf({ memberId, accountId }: { memberId: number; accountId: number }): string {
  return `${memberId} ${accountId}`;
}
