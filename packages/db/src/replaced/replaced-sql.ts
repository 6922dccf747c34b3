import { escapeId, escape as literal } from 'mysql2';

/** A value in a statement of the replaced system. */
export type WrittenValue = string | number | null;

/** The values of columns. A column in JSON is written as `detail.id`. */
export type WrittenColumns = Readonly<Record<string, WrittenValue>>;

/** The beginning of a script: its values then mean the same wherever it runs, and all of it applies, or none. */
export const SCRIPT_START = [
  'SET NAMES utf8mb4;',
  "SET SESSION time_zone = '+00:00', SESSION sql_mode = 'STRICT_ALL_TABLES';",
  'START TRANSACTION;',
] as const;

export const SCRIPT_END = 'COMMIT;';

/** The same with columns in JSON as the whole text of that JSON, as a new row has them. */
export function wholeColumns(columns: WrittenColumns): WrittenColumns {
  const whole: Record<string, WrittenValue | Record<string, unknown>> = {};
  for (const [column, value] of Object.entries(columns)) {
    const [name = '', ...path] = column.split('.');
    if (path.length === 0) whole[name] = value;
    else whole[name] = withField(objectIn(whole[name]), path, value);
  }
  return Object.fromEntries(
    Object.entries(whole).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

/** A statement that adds a row of whole columns. */
export function insertSql(table: string, columns: WrittenColumns): string {
  const names = Object.keys(columns).map((name) => escapeId(name, true));
  const values = Object.values(columns).map((value) => literal(value));
  return `INSERT INTO ${escapeId(table, true)} (${names.join(', ')}) VALUES (${values.join(', ')});`;
}

/** A statement that changes the row of a key. */
export function updateSql(table: string, key: WrittenColumns, columns: WrittenColumns): string {
  const changes = Object.entries(columns).map(([column, value]) => {
    const [name = '', ...path] = column.split('.');
    const own = escapeId(name, true);
    if (path.length === 0) return `${own} = ${literal(value)}`;
    const place = literal(`$.${path.map((part) => JSON.stringify(part)).join('.')}`);
    return `${own} = JSON_SET(IF(JSON_VALID(${own}), ${own}, '{}'), ${place}, ${literal(value)})`;
  });
  return `UPDATE ${escapeId(table, true)} SET ${changes.join(', ')} WHERE ${whereOf(key)};`;
}

/** A statement that removes the row of a key. */
export function deleteSql(table: string, key: WrittenColumns): string {
  return `DELETE FROM ${escapeId(table, true)} WHERE ${whereOf(key)};`;
}

const whereOf = (key: WrittenColumns): string =>
  Object.entries(key)
    .map(([column, value]) => `${escapeId(column, true)} = ${literal(value)}`)
    .join(' AND ');

/** What a column holds already: an object, or the text of one. */
function objectIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return isObject(value) ? value : {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withField(
  object: Record<string, unknown>,
  [name = '', ...path]: readonly string[],
  value: WrittenValue,
): Record<string, unknown> {
  return { ...object, [name]: path.length === 0 ? value : withField(objectIn(object[name]), path, value) };
}
