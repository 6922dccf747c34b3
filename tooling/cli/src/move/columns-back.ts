import type { ReplacedColumn, ReplacedTable } from '@gatehouse/db/replaced/open-replaced-database';
import { type WrittenColumns, type WrittenValue, wholeColumns } from '@gatehouse/db/replaced/replaced-sql';
import type { MovePlace } from './move-map.js';
import { type FieldKind, type MovedKindName, movedKind } from './moved-kinds.js';
import { columnsOf, type MovedFields } from './read-field.js';

/** Where rows are written: the columns of the map, and what the table accepts. */
export interface BackPlace {
  readonly place: MovePlace;
  readonly table: ReplacedTable;
}

/** The table column that a column of the map is, or is inside. */
export const detailsOf = ({ table }: BackPlace, column: string): ReplacedColumn | undefined =>
  table.details[column.split('.')[0] ?? column];

/** The fields as columns of the replaced system, in its values and types. Fields without a column are left out. */
export function columnsBack(kind: MovedKindName, fields: MovedFields, at: BackPlace): WrittenColumns {
  const written: Record<string, WrittenValue> = {};
  // A column inside the JSON of another one comes after it.
  const mapped = Object.entries(at.place.columns).toSorted(
    ([, one], [, other]) => Number(one?.includes('.')) - Number(other?.includes('.')),
  );
  for (const [field, column] of mapped) {
    const value = fields[field];
    const as = movedKind(kind).fields[field]?.as;
    if (column === null || value === undefined || as === undefined) continue;
    const details = detailsOf(at, column);
    const type = column.includes('.') ? 'json' : (details?.type ?? '');
    const named = oldName(writtenValue(value, as, type), at, field, details?.type ?? '');
    // A number is the place of a value in an enumeration, not the value.
    const text = type === 'enum' && named !== null ? String(named) : named;
    written[column] = text ?? emptyBack(at, column) ?? null;
  }
  return written;
}

/** The columns of a new row, with the map's values for columns without a field. */
export function newColumnsBack(kind: MovedKindName, fields: MovedFields, at: BackPlace): WrittenColumns {
  const written = wholeColumns({ ...at.place.fill, ...columnsBack(kind, fields, at) });
  return Object.fromEntries(
    Object.entries(written).filter(([column, value]) => {
      const details = detailsOf(at, column);
      return value !== null || details === undefined || details.isNullable || !details.isFilled;
    }),
  );
}

/** The value for nothing in a column without NULL: the map's, else its default. */
export function emptyBack(at: BackPlace, column: string): WrittenValue | undefined {
  const details = detailsOf(at, column);
  if (details === undefined || details.isNullable || column.includes('.')) return undefined;
  return at.place.fill[column] ?? details.default;
}

/** The columns that every new row needs, and for which neither the map nor the table has a value. */
export function unfilledColumns({ place, table }: BackPlace): string[] {
  const given = new Set([...columnsOf(place), ...Object.keys(place.fill)]);
  return table.columns.filter((column) => table.details[column]?.isFilled === false && !given.has(column));
}

function writtenValue(value: unknown, as: FieldKind, type: string): WrittenValue {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (as === 'instant' && typeof value === 'number') return timeOf(value, type);
  if (typeof value === 'number' || typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** A time in UTC, or in a column of numbers in milliseconds if they fit there, else in seconds. */
function timeOf(atMs: number, type: string): WrittenValue {
  if (type === 'bigint') return atMs;
  if (type.endsWith('int')) return Math.floor(atMs / 1000);
  const text = new Date(atMs).toISOString();
  return type === 'date' ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

/** The old database's name for a value that has another name here: of several names, a number only in a column of numbers. */
function oldName(value: WrittenValue, { place }: BackPlace, field: string, type: string): WrittenValue {
  const names = Object.entries(place.values[field] ?? {})
    .filter(([, ours]) => String(ours) === String(value))
    .map(([name]) => name);
  const isNumber = (name: string) => /^\d+$/.test(name);
  const wantsNumber = /int|decimal|bit/.test(type);
  return names.find((name) => isNumber(name) === wantsNumber) ?? names[0] ?? value;
}
