import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertEach } from './insert-each.js';
import { listIdsThere } from './list-ids-there.js';

/** An account as another system knew it; the id stays, because tokens hold it. */
export interface ImportedAccount {
  id: number;
  name: string;
  nameKey: string;
  ownerId: number;
  isDeleted: boolean;
  deletedAtMs: number | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds accounts that are not there yet and whose owner is, and leaves those that are. */
export async function importAccounts(
  tx: AccessTransaction,
  rows: readonly ImportedAccount[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { accounts } = tx.tables;
  const { id, ownerId } = accounts;
  const found = await tx
    .select({ id, ownerId })
    .from(accounts)
    .where(
      inArray(
        id,
        rows.map((row) => row.id),
      ),
    );
  const there = new Map(found.map((row) => [row.id, row.ownerId]));
  const owners = await listIdsThere(
    tx,
    tx.tables.members,
    rows.map((row) => row.ownerId),
  );
  const fresh = rows.filter((row) => !there.has(row.id) && owners.has(row.ownerId));
  const inserted = await insertEach(tx, accounts, fresh, { PRIMARY: 'another account has this number' });
  const added = new Map(fresh.map((row, at) => [row, inserted[at]]));
  return rows.map((row) => {
    const outcome = added.get(row);
    if (outcome !== undefined) return outcome;
    if (!owners.has(row.ownerId)) return { problem: `its owner, member ${row.ownerId}, is not there` };
    return there.get(row.id) === row.ownerId
      ? 'there'
      : { problem: `account ${row.id} is there already, with another owner` };
  });
}
