import type { MySqlTable } from 'drizzle-orm/mysql-core';
import { DuplicateKeyError } from '../../duplicate-key-error.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';

/**
 * Inserts the rows that are new, at once or, where one of them is refused, each by itself, so that the others are added
 * all the same. The outcomes are in the order of the rows.
 *
 * @param judge what is to be said of a row that is not to be inserted; undefined of a new one
 * @param problems what to say of a row that a unique index refuses, by the name of the index
 */
export async function insertNew<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Row[],
  {
    judge,
    problems = {},
  }: {
    judge: (row: Row) => ImportOutcome | undefined;
    problems?: Readonly<Record<string, string>>;
  },
): Promise<ImportOutcome[]> {
  const judged = rows.map(judge);
  const inserted = await insertEach(
    tx,
    table,
    rows.filter((_, at) => judged[at] === undefined),
    problems,
  );
  return judged.map((outcome) => outcome ?? inserted.shift() ?? 'there');
}

async function insertEach<Table extends MySqlTable>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  problems: Readonly<Record<string, string>>,
): Promise<ImportOutcome[]> {
  try {
    await tx.insertMany(table, rows);
    return rows.map(() => 'added');
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
  }
  const outcomes: ImportOutcome[] = [];
  for (const row of rows) outcomes.push(await insertOne(tx, table, row, problems));
  return outcomes;
}

async function insertOne<Table extends MySqlTable>(
  tx: AccessTransaction,
  table: Table,
  row: Table['$inferInsert'],
  problems: Readonly<Record<string, string>>,
): Promise<ImportOutcome> {
  try {
    await tx.insert(table, row);
    return 'added';
  } catch (error) {
    if (error instanceof DuplicateKeyError)
      return { problem: problems[error.constraint] ?? 'it is there already' };
    throw error;
  }
}
