import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { StaffTransaction } from '../access/change-staff-standing.js';
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
  const there = new Set(known.map(keyOf));
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );

  return insertNew(tx, personnelGrants, rows, {
    judge(row) {
      const { personnelId, accountId } = row;
      if (!staff.has(personnelId)) return importProblems.noStaff(personnelId);
      if (!accountIds.has(accountId)) return importProblems.noAccount(accountId);
      if (there.has(keyOf(row))) return 'there';
      return staff.get(personnelId) === true ? undefined : importProblems.unprovenStaff(personnelId);
    },
  });
}

/** Staff by id, and whether they may be granted more: nobody signs in to them who has not proven the address. */
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

function keyOf({ personnelId, accountId }: { personnelId: number; accountId: number }): string {
  return `${personnelId} ${accountId}`;
}
