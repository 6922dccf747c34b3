import { type DriverValueDecoder, fillPlaceholders, is, SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import { type BuiltSelect, oncePerDialect, prepareRead } from './prepared.js';

type Field = MySqlColumn | SQL | SQL.Aliased;

type Fields = Readonly<Record<string, Field>>;

type Decoder = DriverValueDecoder<unknown, unknown>;

type Kind = 'number' | 'text';

type Select = (db: Database) => BuiltSelect<object>;

interface PlacedField {
  readonly name: string;
  readonly field: Field;
  readonly decoder: Decoder;
  readonly position: number;
}

/**
 * Several selects as the text of one `union all`, each row led by the number of its select. Values keep their types,
 * because columns share a position only with columns of the same kind. An expression has a position of its own.
 */
function unitedSelects(db: Database, selects: readonly Select[]) {
  const { placed, width } = placeFields(selects.map((select) => selectedFields(db, select)));
  const statements = selects.map((select, part) =>
    select(selectingInstead(db, () => paddedFields(part, placed[part] ?? [], width))).toSQL(),
  );
  return {
    sql: statements.map((statement) => `(${statement.sql})`).join(' union all '),
    params: statements.flatMap(({ params }) => params),
    decode(rows: readonly unknown[][]): object[][] {
      const lists = placed.map((): object[] => []);
      for (const row of rows) {
        const part = Number(row[0]);
        lists[part]?.push(decodeRow(row, placed[part] ?? []));
      }
      return lists;
    },
  };
}

function decodeRow(row: readonly unknown[], fields: readonly PlacedField[]): object {
  const decoded: Record<string, unknown> = {};
  for (const { name, decoder, position } of fields) {
    const value = row[position] ?? null;
    decoded[name] = value === null ? null : decoder.mapFromDriverValue(value);
  }
  return decoded;
}

function placeFields(parts: readonly Fields[]): { placed: PlacedField[][]; width: number } {
  let width = 1;
  const positions: Record<Kind, number[]> = { number: [], text: [] };
  const placed = parts.map((fields) => {
    const used: Record<Kind, number> = { number: 0, text: 0 };
    return Object.entries(fields).map(([name, field]): PlacedField => {
      if (is(field, SQL) || is(field, SQL.Aliased)) {
        width += 1;
        return { name, field, decoder: decoderOf(field), position: width - 1 };
      }
      const kind = kindOf(field);
      if (used[kind] === positions[kind].length) {
        positions[kind].push(width);
        width += 1;
      }
      const position = positions[kind][used[kind]] ?? 0;
      used[kind] += 1;
      return { name, field, decoder: field, position };
    });
  });
  return { placed, width };
}

/** The vocabulary of the tables has whole numbers, flags stored as numbers, and texts. */
function kindOf({ dataType }: MySqlColumn): Kind {
  return dataType === 'number' || dataType === 'boolean' ? 'number' : 'text';
}

function decoderOf(expression: SQL | SQL.Aliased): Decoder {
  const plain = is(expression, SQL) ? expression : expression.sql;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every expression has this property, which the builder itself decodes by; a test reads a mapped expression
  return (plain as unknown as { decoder: Decoder }).decoder;
}

function paddedFields(part: number, fields: readonly PlacedField[], width: number): Fields {
  const padded: Record<string, Field> = { at0: sql.raw(String(part)) };
  for (let position = 1; position < width; position += 1) padded[`at${position}`] = sql`null`;
  for (const { field, position } of fields) padded[`at${position}`] = field;
  return padded;
}

function selectedFields(db: Database, select: Select): Fields {
  let selected: Fields | undefined;
  select(
    selectingInstead(db, (fields) => {
      if (selected) throw new Error('a part of a union selects once');
      selected = fields;
      return fields;
    }),
  );
  if (!selected) throw new Error('a part of a union selects from the given handle');
  return selected;
}

/** The same handle, whose `select` selects other fields than it is given. */
function selectingInstead(db: Database, instead: (fields: Fields) => Fields): Database {
  const select = (fields: Fields) => db.select(instead(fields));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the text of the statement is used, never its rows
  return { ...db, select: select as unknown as Database['select'] };
}

/** One of the selects that are read together. */
interface ReadPart<Row extends object> {
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

/** The order of rows by a number, ascending. */
export function ascendingBy<Name extends string>(name: Name) {
  return (one: Readonly<Record<Name, number>>, other: Readonly<Record<Name, number>>): number =>
    one[name] - other[name];
}

/** The order of rows by a number, descending. */
export function descendingBy<Name extends string>(name: Name) {
  return (one: Readonly<Record<Name, number>>, other: Readonly<Record<Name, number>>): number =>
    other[name] - one[name];
}
