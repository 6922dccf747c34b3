import { type DriverValueDecoder, is, SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** A select that was built and not yet prepared. */
export interface BuiltSelect<Row extends object> {
  toSQL(): { sql: string; params: unknown[] };
  prepare(): { execute(values?: Record<string, unknown>): Promise<Row[]> };
}

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
export function unitedSelects(db: Database, selects: readonly Select[]) {
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
