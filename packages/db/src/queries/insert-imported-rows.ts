import { desc, inArray } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import { DuplicateKeyError } from '../database-errors.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';

/** The outcome of one imported row. `there` means that it existed before and was left unchanged. */
export type ImportOutcome = 'added' | 'there' | { readonly problem: string };

const problem = (text: string): ImportOutcome => ({ problem: text });

/** The reason why a row cannot be added, with the ids it refers to or conflicts with. */
export const importProblems = {
  memberIsAnother: (id: number) => problem(`member ${id} is there already, with another login identifier`),
  sidIsTaken: (by: number) => problem(`member ${by} has this login identifier`),
  usernameIsTaken: (by: number) => problem(`member ${by} has this username, or one that looks like it`),
  emailIsTaken: (by: number) => problem(`member ${by} has this e-mail address`),
  sidIsAddress: (by: number) => problem(`this login identifier is the e-mail address of member ${by}`),
  emailIsSid: (by: number) => problem(`this e-mail address is the login identifier of member ${by}`),
  accountIsAnother: (id: number) => problem(`account ${id} is there already, with another owner`),
  noOwner: (id: number) => problem(`its owner, member ${id}, is not there`),
  noMember: (id: number) => problem(`member ${id} is not there`),
  noStaff: (id: number) => problem(`member ${id} is not there, or not staff`),
  unprovenStaff: (id: number) =>
    problem(`nobody has proven the address of member ${id}: switch them off and on again as staff first`),
  unprovenSignIn: (id: number) =>
    problem(`member ${id} is staff, and nobody has proven their address: they add it again themselves`),
  noAccount: (id: number) => problem(`account ${id} is not there`),
  identityIsTaken: (by: number) => problem(`member ${by} has this identity at the provider`),
  passkeyIsTaken: (by: number) => problem(`member ${by} has this passkey`),
  foreignIdIsTaken: (kind: string, by: number) => problem(`${kind} ${by} has this id of another system`),
} as const;

/**
 * Inserts the new rows together. If one is refused, inserts them one by one, so that the others are still
 * added. The outcomes are in the order of the rows.
 * @param check the outcome of a row that must not be inserted; undefined for a new one
 * @param checkAgain the outcome of a row that a unique index refused, by the existing row; without it the
 * outcome is `there`
 */
export async function insertNew<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Row[],
  {
    check,
    checkAgain = async () => 'there',
  }: {
    check: (row: Row) => ImportOutcome | undefined;
    checkAgain?: (row: Row) => Promise<ImportOutcome | undefined>;
  },
): Promise<ImportOutcome[]> {
  const checked = rows.map(check);
  const inserted = await insertEach(
    tx,
    table,
    rows.filter((_, at) => checked[at] === undefined),
    checkAgain,
  );
  return checked.map((outcome) => outcome ?? inserted.shift() ?? 'there');
}

async function insertEach<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  rows: readonly Row[],
  checkAgain: (row: Row) => Promise<ImportOutcome | undefined>,
): Promise<ImportOutcome[]> {
  try {
    await tx.insertMany(table, rows);
    return rows.map(() => 'added');
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
  }
  const outcomes: ImportOutcome[] = [];
  for (const row of rows) outcomes.push(await insertOne(tx, table, row, checkAgain));
  return outcomes;
}

async function insertOne<Table extends MySqlTable, Row extends Table['$inferInsert']>(
  tx: AccessTransaction,
  table: Table,
  row: Row,
  checkAgain: (row: Row) => Promise<ImportOutcome | undefined>,
): Promise<ImportOutcome> {
  try {
    await tx.insert(table, row);
    return 'added';
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    return (await checkAgain(row)) ?? { problem: 'was refused, and is not there any more: bring it again' };
  }
}

/** Which of these ids a table has. */
export async function listIdsThere(
  tx: Pick<Database, 'select' | 'tables'>,
  table: Tables['members'] | Tables['accounts'],
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(inArray(table.id, [...new Set(ids)]));
  return new Set(rows.map((row) => row.id));
}

/** The highest ids in use, 0 for an empty table. */
export interface LastIds {
  memberId: number;
  accountId: number;
  conversationId: number;
  subjectId: number;
}

/** The first free ids for rows with chosen ids. Nobody else may write meanwhile. */
export async function findLastIds(db: Database): Promise<LastIds> {
  const { members, accounts, conversations, subjects } = db.tables;
  const [[member], [account], [conversation], [subject]] = await Promise.all([
    db.select({ id: members.id }).from(members).orderBy(desc(members.id)).limit(1),
    db.select({ id: accounts.id }).from(accounts).orderBy(desc(accounts.id)).limit(1),
    db.select({ id: conversations.id }).from(conversations).orderBy(desc(conversations.id)).limit(1),
    db.select({ id: subjects.id }).from(subjects).orderBy(desc(subjects.id)).limit(1),
  ]);
  return {
    memberId: member?.id ?? 0,
    accountId: account?.id ?? 0,
    conversationId: conversation?.id ?? 0,
    subjectId: subject?.id ?? 0,
  };
}
