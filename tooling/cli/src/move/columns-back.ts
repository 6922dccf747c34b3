import type { WrittenColumns, WrittenValue } from '@gatehouse/db/replaced/replaced-sql';
import type { MovePlace } from './move-map.js';
import { type FieldKind, type MovedKindName, movedKind } from './moved-kinds.js';
import type { MovedFields } from './read-field.js';

/** Where rows are written: the columns of the map, and their types. */
export interface BackPlace {
  readonly place: MovePlace;
  readonly types: Readonly<Record<string, string>>;
}

/** The fields as columns of the replaced system, in its values and types. Fields without a column are left out. */
export function columnsBack(kind: MovedKindName, fields: MovedFields, at: BackPlace): WrittenColumns {
  const written: Record<string, WrittenValue> = {};
  // A column in the JSON of another one comes after it.
  const mapped = Object.entries(at.place.columns).toSorted(
    ([, one], [, other]) => Number(one?.includes('.')) - Number(other?.includes('.')),
  );
  for (const [field, column] of mapped) {
    const value = fields[field];
    const as = movedKind(kind).fields[field]?.as;
    if (column === null || value === undefined || as === undefined) continue;
    const type = at.types[column.split('.')[0] ?? column] ?? '';
    written[column] = oldName(writtenValue(value, as, column.includes('.') ? 'json' : type), at, field, type);
  }
  return written;
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

/** What the old database calls a value that has another name here: of several names a number only in a column of numbers. */
function oldName(value: WrittenValue, { place }: BackPlace, field: string, type: string): WrittenValue {
  const names = Object.entries(place.values[field] ?? {})
    .filter(([, ours]) => String(ours) === String(value))
    .map(([name]) => name);
  const isNumber = (name: string) => /^\d+$/.test(name);
  const wantsNumber = /int|decimal|bit/.test(type);
  return names.find((name) => isNumber(name) === wantsNumber) ?? names[0] ?? value;
}
