import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database, WriteStatement } from '../database.js';
import { fillValues } from '../fill-values.js';
import type { Tables } from '../tables/define-tables.js';
import type { BuiltSelect } from './page/united-selects.js';

/** A value that a prepared statement gets at each run, checked and stored as those of the column. */
export function given(column: MySqlColumn, name: string): SQL {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}

/**
 * Builds an update or delete once, for all handles of a dialect and their transactions.
 * @returns runs it, and answers how many rows matched
 */
export function prepareWrite<Values extends object>(
  build: (db: Database) => WriteStatement,
): (db: Database, values: Values) => Promise<number> {
  const built = new WeakMap<Tables, ReturnType<WriteStatement['toSQL']>>();
  return (db, values) => {
    const { sql: text, params } = builtOnce(built, db, () => build(db).toSQL());
    return db.write({ toSQL: () => ({ sql: text, params: fillValues(params, values) }) });
  };
}

/**
 * Builds a select once, for all handles of a dialect and their transactions.
 * @returns reads its rows by the given handle
 */
export function prepareRead<Row extends object, Values extends object>(
  build: (db: Database) => BuiltSelect<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const built = new WeakMap<Tables, Prepared<Row>>();
  return (db, values) => {
    const prepared = builtOnce(built, db, () => withClient(build(db).prepare()));
    const client = async (text: string, params: unknown[]) => ({ rows: await db.readRows(text, params) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with this prototype is one of its kind
    const own = Object.create(prepared, { client: { value: client } }) as Prepared<Row>;
    return own.execute(Object.fromEntries(Object.entries(values)));
  };
}

interface Prepared<Row extends object> {
  execute(values: Record<string, unknown>): Promise<Row[]>;
}

function builtOnce<Statement>(
  built: WeakMap<Tables, Statement>,
  { tables }: Database,
  build: () => Statement,
): Statement {
  const known = built.get(tables);
  if (known !== undefined) return known;
  const statement = build();
  built.set(tables, statement);
  return statement;
}

/** @throws {Error} if the builder does not run its statements by this property, and a transaction would read outside itself */
function withClient<Row extends object>(prepared: Prepared<Row>): Prepared<Row> {
  if (!Object.hasOwn(prepared, 'client')) throw new Error('a prepared select has no client to replace');
  return prepared;
}
