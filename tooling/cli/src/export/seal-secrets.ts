import { type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { keyOfRow, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import type { ExportCipher } from './export-cipher.js';
import { TABLE_PLANS, type TableName } from './table-plans.js';

interface SealInput {
  readonly db: Database;
  /** Of this deployment. */
  readonly cipher: DataCipher;
  readonly exported: ExportCipher;
  /** Called for a secret that no key of this deployment can decrypt, which becomes null. */
  readonly unreadable: (table: TableName) => void;
}

/** Rows with their secrets encrypted under the key of the export. Those under the deployment's key are decrypted first. */
export async function sealSecrets(
  { db, cipher, exported, unreadable }: SealInput,
  table: TableName,
  rows: readonly WholeRow[],
): Promise<WholeRow[]> {
  const { secrets = {}, contexts } = TABLE_PLANS.get(table) ?? {};
  const columns = Object.keys(secrets);
  if (columns.length === 0) return [...rows];
  const contextOf = await contexts?.(db, rows);
  return rows.map((row): WholeRow => {
    const key = keyOfRow(db, table, row);
    const sealed = columns.map((column): [string, unknown] => {
      const stored = row[column];
      const value =
        contextOf !== undefined && typeof stored === 'string'
          ? openIfReadable(cipher, stored, contextOf(row, column))
          : stored;
      if (value === undefined) unreadable(table);
      return [
        column,
        value === undefined || value === null ? null : exported.seal(value, { table, column, key }),
      ];
    });
    return { ...row, ...Object.fromEntries(sealed) };
  });
}

function openIfReadable(cipher: DataCipher, sealed: string, context: string): string | undefined {
  try {
    return cipher.open(sealed, context);
  } catch (error) {
    if (error instanceof SealedDataRefused) return undefined;
    throw error;
  }
}
