import type { ReplacedRow, ReplacedValue } from '@gatehouse/db/replaced/open-replaced-database';
import type { MovePlace } from './move-map.js';
import type { FieldKind, MovedKind } from './moved-kinds.js';

/** The fields of a row; undefined where the old database has nothing. */
export type MovedFields = Readonly<Record<string, unknown>>;

/** Reads the fields of an old row by the map, with the corrections of the row. */
export function readFields(
  row: ReplacedRow,
  { fields }: MovedKind,
  place: MovePlace,
  corrections: Readonly<Record<string, ReplacedValue>> | undefined,
): MovedFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, { as, labels }]) => {
      if (labels !== undefined) return [];
      const corrected = corrections?.[field];
      if (corrected !== undefined) return [[field, readValue(corrected, as)]];
      const raw = rawValue(row, place.columns[field] ?? null);
      const renamed = place.values[field]?.[String(raw)];
      return [[field, readValue(renamed === undefined ? raw : renamed, as)]];
    }),
  );
}

/** The columns that a page of such rows needs. */
export function columnsOf(place: MovePlace): string[] {
  const columns = Object.values(place.columns).flatMap((column) =>
    column === null ? [] : columnName(column),
  );
  return [...new Set(columns)];
}

const columnName = (column: string): string => column.split('.')[0] ?? column;

function rawValue(row: ReplacedRow, column: string | null): unknown {
  if (column === null) return null;
  const [name = '', ...path] = column.split('.');
  const value = row[name] ?? null;
  return path.length === 0 ? value : within(parseJson(value), path);
}

function within(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  return found ?? null;
}

/** A value in the form of its field. One that cannot be converted is kept, for the check of the record to name. */
export function readValue(value: unknown, as: FieldKind): unknown {
  if (value === null || value === undefined) return undefined;
  switch (as) {
    case 'number':
      return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,6})?$/.test(value.trim())
        ? Number(value)
        : value;
    case 'flag':
      return typeof value === 'string' && /^[01]$/.test(value.trim()) ? Number(value) : value;
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'instant':
      return toInstant(value);
    case 'json':
      return parseJson(value);
  }
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)\d*)?/;

/** Times of the old database are in UTC, or seconds or milliseconds since 1970; MySQL's zero dates are treated as missing. */
function toInstant(value: unknown): unknown {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  const [, day, time = '00:00:00'] = DATE.exec(String(value)) ?? [];
  if (day === undefined) return value;
  const at = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : Math.max(0, at);
}

/** The value of a JSON text; undefined for another text. */
function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
