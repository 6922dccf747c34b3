import { getTableColumns, is, isSQLWrapper, Param, Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { MySqlRemoteDatabase } from 'drizzle-orm/mysql-proxy';

/** The statement-building part of the query builder, typed for MySQL. */
export type StatementBuilder = Pick<MySqlRemoteDatabase, 'select' | 'insert' | 'update' | 'delete'>;

/** Reads rows as arrays, in the order of the selected columns. */
export type ReadRows = (sql: string, params: readonly unknown[]) => Promise<unknown[][]>;

/** The parameters of a statement, with the values of its placeholders, which are stored as those of their columns. */
export function fillValues(params: readonly unknown[], values: object): unknown[] {
  const known = new Map<string, unknown>(Object.entries(values));
  return params.map((param) => {
    const placeholder: unknown = is(param, Param) ? param.value : param;
    if (!is(placeholder, Placeholder)) return param;
    const value = known.get(placeholder.name);
    if (value === undefined) throw new Error(`a statement was given no ${placeholder.name}`);
    return value === null || !is(param, Param) ? value : param.encoder.mapToDriverValue(value);
  });
}

interface Built {
  readonly sql: string;
  readonly params: unknown[];
}

/** The inserts of each table, by the columns they are given. */
const built = new WeakMap<MySqlTable, Map<string, Built>>();

/** Expressions that are inserted again and again, with their numbers. */
const repeated = new WeakMap<object, number>();

let lastRepeated = 0;

/** An expression that inserts of one row may use as a value, and that is kept: their text is built once. Its placeholders get values of the row. */
export function repeatedValue<Expression extends object>(expression: Expression): Expression {
  lastRepeated += 1;
  repeated.set(expression, lastRepeated);
  return expression;
}

/** An insert of one row. The text for the same columns is built once, if all values are plain or repeated. */
export function buildInsert(
  builder: StatementBuilder,
  table: MySqlTable,
  row: MySqlTable['$inferInsert'],
): Built {
  const columns: Record<string, unknown> = getTableColumns(table);
  const given = Object.entries(row).filter(([name, value]) => value !== undefined && name in columns);
  const expressions = given.flatMap(([name, value]) => (isSQLWrapper(value) ? [[name, value] as const] : []));
  const numbers = expressions.map(([, value]) => repeated.get(value));
  if (numbers.includes(undefined)) return builder.insert(table).values(row).toSQL();
  const key = [...given.map(([name]) => name), ...numbers].join(' ');
  const ofTable = built.get(table) ?? new Map<string, Built>();
  built.set(table, ofTable);
  const known = ofTable.get(key) ?? placeholders(builder, table, given, Object.fromEntries(expressions));
  ofTable.set(key, known);
  return { sql: known.sql, params: fillValues(known.params, Object.fromEntries(given)) };
}

function placeholders(
  builder: StatementBuilder,
  table: MySqlTable,
  given: readonly (readonly [string, unknown])[],
  expressions: Readonly<Record<string, SQLWrapper>>,
): Built {
  return builder
    .insert(table)
    .values(Object.fromEntries(given.map(([name]) => [name, expressions[name] ?? sql.placeholder(name)])))
    .toSQL();
}

/** @throws Error if a built statement that is not a select was awaited instead of passed to `write`. */
export function refuseDirectWrite(method: string): void {
  if (method !== 'all')
    throw new Error('a statement that changes rows runs only through write() of the database handle');
}

interface Named {
  dialect: { casing: object };
}

/**
 * Lets all builders of a dialect share the names of columns. Each transaction has a builder of its own, which would
 * convert the names of every table it touches again.
 */
export function createNameSharing(): <Builder extends object>(builder: Builder) => Builder {
  let names: object | undefined;
  return (builder) => {
    const { dialect } = withDialect(builder);
    names ??= dialect.casing;
    dialect.casing = names;
    return builder;
  };
}

function withDialect(builder: object): Named {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builders of both dialects keep their dialect and its names so; if one did not, statements would only be slower
  return builder as Named;
}

interface PreparedQuery {
  queryWithCache(sql: string, params: unknown[], query: () => Promise<unknown>): Promise<unknown>;
}

interface Session {
  prepareQuery(...parts: unknown[]): PreparedQuery;
}

/**
 * Passes errors of a query through the builder unchanged. The builder would wrap them in an error whose
 * message contains every parameter, including passwords and tokens. It does so in `queryWithCache` of the
 * queries made by `prepareQuery`. A test checks the message on both databases, so that an upgrade cannot
 * bring this back.
 */
export function withPlainErrors<Builder extends object>(builder: Builder): Builder {
  const { session } = withSession(builder);
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...parts) => {
    const prepared = prepareQuery(...parts);
    prepared.queryWithCache = (_sql, _params, query) => query();
    return prepared;
  };
  return builder;
}

function withSession(builder: object): { session: Session } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builders of both dialects keep their session under this name, and the test named above fails if one does not
  return builder as { session: Session };
}
