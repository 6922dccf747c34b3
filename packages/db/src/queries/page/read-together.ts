import { fillPlaceholders } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { oncePerDialect, prepareRead } from '../prepared.js';
import { type BuiltSelect, unitedSelects } from './united-selects.js';

/** One of the selects that are read together. */
export interface ReadPart<Row extends object> {
  /** Builds the select. It must call `select` of the given handle once. */
  readonly select: (db: Database) => BuiltSelect<Row>;
  /** The order of its rows, the same as in the select; needed for more than one row. */
  order?(this: void, one: NoInfer<Row>, other: NoInfer<Row>): number;
}

type Parts<Rows extends Record<string, object>> = { readonly [Name in keyof Rows]: ReadPart<Rows[Name]> };
type Lists<Rows extends Record<string, object>> = { [Name in keyof Rows]: Rows[Name][] };
type Read<Rows extends Record<string, object>> = (
  db: Database,
  values: Record<string, unknown>,
) => Promise<Lists<Rows>>;

/**
 * Reads several selects that share their placeholders. On MySQL they are one statement, which saves a round trip
 * for each, and reads them from one consistent moment. The embedded database has no round trips, so there each stays
 * a statement of its own.
 */
export function readTogether<Rows extends Record<string, object>>(parts: Parts<Rows>): Read<Rows> {
  const together = united(parts);
  const apart = oneByOne(parts);
  return (db, values) => (db.dialect === 'mysql' ? together(db, values) : apart(db, values));
}

function united<Rows extends Record<string, object>>(parts: Parts<Rows>): Read<Rows> {
  const entries = Object.entries<ReadPart<object>>(parts);
  const selects = entries.map(([, { select }]) => select);
  const built = oncePerDialect((db) => unitedSelects(db, selects));
  return async (db, values) => {
    const { sql, params, decode } = built(db);
    const lists = decode(await db.readRows(sql, fillPlaceholders(params, values)));
    return named(
      // A union promises no order of its rows.
      entries.map(([name, { order }], part) => [name, order ? lists[part]?.sort(order) : lists[part]]),
    );
  };
}

function oneByOne<Rows extends Record<string, object>>(parts: Parts<Rows>): Read<Rows> {
  const reads = Object.entries<ReadPart<object>>(parts).map(
    ([name, { select }]) => [name, prepareRead(select)] as const,
  );
  return async (db, values) =>
    named(await Promise.all(reads.map(async ([name, read]) => [name, await read(db, values)] as const)));
}

function named<Rows extends Record<string, object>>(
  lists: readonly (readonly [string, object[] | undefined])[],
): Lists<Rows> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the parts, and each list holds the rows of the part of its name
  return Object.fromEntries(lists) as Lists<Rows>;
}
