import { and, eq, inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import { insertNew } from './insert-new.js';
import { listIdsThere } from './list-ids-there.js';

/** A staff member's access to an account in another system. */
export interface ImportedGrant {
  personnelId: number;
  accountId: number;
  isDeleted: boolean;
  active: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds new grants and leaves existing ones unchanged. */
export async function importGrants(
  tx: AccessTransaction,
  rows: readonly ImportedGrant[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { members, personnelGrants, accounts } = tx.tables;
  const personnelIds = [...new Set(rows.map((row) => row.personnelId))];
  const staff = await tx
    .select({ id: members.id })
    .from(members)
    .where(and(inArray(members.id, personnelIds), eq(members.isPersonnel, true)));
  const isStaff = new Set(staff.map((row) => row.id));
  const known = await tx
    .select({ personnelId: personnelGrants.personnelId, accountId: personnelGrants.accountId })
    .from(personnelGrants)
    .where(inArray(personnelGrants.personnelId, personnelIds));
  const there = new Set(known.map(keyOf));
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );

  return insertNew(tx, personnelGrants, rows, {
    judge(row) {
      if (!isStaff.has(row.personnelId)) return importProblems.noStaff(row.personnelId);
      if (!accountIds.has(row.accountId)) return importProblems.noAccount(row.accountId);
      return there.has(keyOf(row)) ? 'there' : undefined;
    },
  });
}

function keyOf({ personnelId, accountId }: { personnelId: number; accountId: number }): string {
  return `${personnelId} ${accountId}`;
}
