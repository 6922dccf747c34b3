import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertNew } from './insert-new.js';
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
  return insertNew(tx, accounts, rows, {
    problems: { PRIMARY: 'another account has this number' },
    judge(row) {
      if (!owners.has(row.ownerId)) return { problem: `its owner, member ${row.ownerId}, is not there` };
      const knownOwner = there.get(row.id);
      if (knownOwner === undefined) return undefined;
      return knownOwner === row.ownerId
        ? 'there'
        : { problem: `account ${row.id} is there already, with another owner` };
    },
  });
}
