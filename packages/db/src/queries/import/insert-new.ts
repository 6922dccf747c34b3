import type { MySqlTable } from 'drizzle-orm/mysql-core';
import { DuplicateKeyError } from '../../duplicate-key-error.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';

/**
 * Inserts the new rows together. If one is refused, inserts them one by one, so that the others are still
 * added. The outcomes are in the order of the rows.
 * @param judge the outcome of a row that must not be inserted; undefined for a new one
 * @param judgeAgain the outcome of a row that a unique index refused, by the existing row; without it the
 * outcome is `there`
 */
export async function insertNew<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Row[],
  {
    judge,
    judgeAgain = async () => 'there',
  }: {
    judge: (row: Row) => ImportOutcome | undefined;
    judgeAgain?: (row: Row) => Promise<ImportOutcome | undefined>;
  },
): Promise<ImportOutcome[]> {
  const judged = rows.map(judge);
  const inserted = await insertEach(
    tx,
    table,
    rows.filter((_, at) => judged[at] === undefined),
    judgeAgain,
  );
  return judged.map((outcome) => outcome ?? inserted.shift() ?? 'there');
}

async function insertEach<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Row[],
  judgeAgain: (row: Row) => Promise<ImportOutcome | undefined>,
): Promise<ImportOutcome[]> {
  try {
    await tx.insertMany(table, rows);
    return rows.map(() => 'added');
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
  }
  const outcomes: ImportOutcome[] = [];
  for (const row of rows) outcomes.push(await insertOne(tx, table, row, judgeAgain));
  return outcomes;
}

async function insertOne<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  row: Row,
  judgeAgain: (row: Row) => Promise<ImportOutcome | undefined>,
): Promise<ImportOutcome> {
  try {
    await tx.insert(table, row);
    return 'added';
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    return (await judgeAgain(row)) ?? { problem: 'was refused, and is not there any more: bring it again' };
  }
}
