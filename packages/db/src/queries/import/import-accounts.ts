import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import { insertNew } from './insert-new.js';
import { listIdsThere } from './list-ids-there.js';

/** An account of another system. It keeps its id, because tokens contain it. */
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
  const judgeBy = (there: ReadonlyMap<number, number>) => (row: ImportedAccount) => {
    if (!owners.has(row.ownerId)) return importProblems.noOwner(row.ownerId);
    const knownOwner = there.get(row.id);
    if (knownOwner === undefined) return undefined;
    return knownOwner === row.ownerId ? 'there' : importProblems.accountIsAnother(row.id);
  };
  return insertNew(tx, accounts, rows, {
    judge: judgeBy(await listOwnersOf(tx, rows)),
    judgeAgain: async (row) => judgeBy(await listOwnersOf(tx, [row]))(row),
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
