import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database, WriteStatement } from '../database.js';
import { fillValues } from '../dialect/statement-builder.js';
import type { Tables } from '../tables/define-tables.js';

/** A select that was built and not yet prepared. */
export interface BuiltSelect<Row extends object> {
  toSQL(): { sql: string; params: unknown[] };
  prepare(): { execute(values?: Record<string, unknown>): Promise<Row[]> };
}

/** A value that a prepared statement gets at each run, checked and stored as those of the column. */
export function given(column: MySqlColumn, name: string): SQL {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}

/**
 * Builds an update or delete once, for all handles of a dialect and their transactions.
 * @returns a function that runs it and returns how many rows matched
 */
export function prepareWrite<Values extends object>(
  build: (db: Database) => WriteStatement,
): (db: Database, values: Values) => Promise<number> {
  const built = oncePerDialect((db) => build(db).toSQL());
  return (db, values) => {
    const { sql: text, params } = built(db);
    return db.write({ toSQL: () => ({ sql: text, params: fillValues(params, values) }) });
  };
}

/**
 * Builds a select once, for all handles of a dialect and their transactions.
 * @returns a function that reads its rows with the given handle
 */
export function prepareRead<Row extends object, Values extends object = Record<string, unknown>>(
  build: (db: Database) => BuiltSelect<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const built = oncePerDialect((db) => withClient(build(db).prepare()));
  return (db, values) => {
    const client = async (text: string, params: unknown[]) => ({ rows: await db.readRows(text, params) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with this prototype is one of its kind
    const own = Object.create(built(db), { client: { value: client } }) as Prepared<Row>;
    return own.execute(Object.fromEntries(Object.entries(values)));
  };
}

interface Prepared<Row extends object> {
  execute(values: Record<string, unknown>): Promise<Row[]>;
}

/** Builds something that depends only on the tables, once for all handles of a dialect. */
export function oncePerDialect<Built extends object>(
  build: (db: Database) => Built,
): (db: Database) => Built {
  const built = new WeakMap<Tables, Built>();
  return (db) => {
    const known = built.get(db.tables);
    if (known !== undefined) return known;
    const anew = build(db);
    built.set(db.tables, anew);
    return anew;
  };
}

/** @throws {Error} if the builder does not run its statements by this property, and a transaction would read outside itself */
function withClient<Row extends object>(prepared: Prepared<Row>): Prepared<Row> {
  if (!Object.hasOwn(prepared, 'client')) throw new Error('a prepared select has no client to replace');
  return prepared;
}
