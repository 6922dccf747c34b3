import type { Roles } from '@gatehouse/auth-core';
import type {
  ReplacedDatabase,
  ReplacedRow,
  ReplacedValue,
} from '@gatehouse/db/replaced/open-replaced-database';
import { type MoveMap, type MovePlace, placesIn } from './move-map.js';
import { type MovedKindName, movedKind } from './moved-kinds.js';
import { columnsOf, type MovedFields, readFields } from './read-field.js';
import { keyText, type MovedRow, toMovedRow } from './to-moved-row.js';

/** Rows read at once. */
const PAGE = 500;

/** The options for reading rows. */
export interface Reading {
  readonly map: MoveMap;
  readonly roles: Roles;
  /** Whether the operator says that stored texts that are not hashes are passwords. */
  readonly arePlain: boolean;
  /** The members whose plain password the operator has reviewed. */
  readonly accepted: ReadonlySet<number>;
  readonly isOurSecret: (text: string) => boolean;
}

/**
 * The rows of one kind, page by page in the order of their key. Deleted members come after all others, because a member who came
 * back may have the login identifier of a deleted one.
 */
export async function* readMovedRows(
  old: ReplacedDatabase,
  kind: MovedKindName,
  reading: Reading,
): AsyncGenerator<MovedRow[]> {
  const { tables } = reading.map;
  const place = tables[kind];
  if (place === undefined) return;
  if (kind !== 'members' || !isMapped(place, 'isDeleted')) {
    yield* readPages(old, kind, place, reading);
    return;
  }
  for (const isDeleted of [false, true])
    for await (const rows of readPages(old, kind, place, reading))
      yield rows.filter((row) => row.isDeleted === isDeleted);
}

async function* readPages(
  old: ReplacedDatabase,
  kind: MovedKindName,
  place: MovePlace,
  reading: Reading,
): AsyncGenerator<MovedRow[]> {
  let after: ReplacedValue[] | undefined;
  for (;;) {
    const { table, key } = place;
    const rows = await old.readPage({ table, columns: columnsOf(place), key, after, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await toMovedRows(old, kind, place, rows, reading);
    after = valuesOf(last, key);
  }
}

/** The rows whose field has one of these values; none if the field has no column. */
export async function findOldRows(
  old: ReplacedDatabase,
  kind: MovedKindName,
  { field, values }: { readonly field: string; readonly values: readonly ReplacedValue[] },
  reading: Reading,
): Promise<MovedRow[]> {
  const { tables } = reading.map;
  const place = tables[kind];
  const column = place?.columns[field] ?? null;
  if (place === undefined || column === null || column.includes('.')) return [];
  const columns = [...new Set([...place.key, ...columnsOf(place)])];
  const rows = await old.readMatching({ table: place.table, columns, match: { [column]: values } });
  return toMovedRows(old, kind, place, rows, reading);
}

async function toMovedRows(
  old: ReplacedDatabase,
  kind: MovedKindName,
  place: MovePlace,
  rows: readonly ReplacedRow[],
  { map, roles, arePlain, accepted, isOurSecret }: Reading,
): Promise<MovedRow[]> {
  const owners = kind === 'accounts' ? await ownersOf(old, map, rows) : undefined;
  const staff = kind === 'members' ? await staffAmong(old, map, rows) : undefined;
  const corrections = map.corrections[kind];
  return rows.map((row) => {
    const keyValues = valuesOf(row, place.key);
    const ownKey = keyText(keyValues);
    const fields = readFields(row, movedKind(kind), place, corrections?.[ownKey]);
    const own = fields['id'];
    const id = Number(own);
    // Other rows name members, accounts and content by their ids.
    const key = typeof own === 'number' ? String(own) : ownKey;
    return toMovedRow(fields, {
      kind,
      key,
      keyValues,
      roles,
      arePlain,
      isAccepted: accepted.has(id),
      isOurSecret,
      ownerId: owners?.get(id),
      isPersonnel: staff?.has(id),
    });
  });
}

const valuesOf = (row: ReplacedRow, key: readonly string[]): ReplacedValue[] =>
  key.map((column) => row[column] ?? null);

/** Roles of a membership whose holder can own an account; the likelier first. */
const OWNING = [1, 0];

/**
 * The owners of accounts by their memberships: only active ones, an owner before an administrator, and the lowest number of them.
 * None if a column names the owner.
 */
async function ownersOf(
  old: ReplacedDatabase,
  { tables: { accounts, memberships } }: MoveMap,
  rows: readonly ReplacedRow[],
): Promise<Map<number, number> | undefined> {
  if (accounts === undefined || memberships === undefined || isMapped(accounts, 'ownerId')) return undefined;
  const { accountId, roleType } = memberships.columns;
  const ids = idsIn(rows, accounts);
  if (typeof accountId !== 'string' || typeof roleType !== 'string' || ids.length === 0) return undefined;
  const found = await old.readMatching({
    table: memberships.table,
    columns: columnsOf(memberships),
    match: { [accountId]: ids, [roleType]: oldNames(memberships, 'roleType', OWNING) },
  });
  const best = new Map<number, { memberId: number; rank: number }>();
  for (const row of found) {
    const fields = readFields(row, movedKind('memberships'), memberships, undefined);
    const [account, memberId] = [Number(fields['accountId']), Number(fields['memberId'])];
    // The old database's name of one of these roles may be the name of another one here.
    const place = OWNING.indexOf(Number(fields['roleType']));
    if (place === -1) continue;
    const rank = (counts(fields) ? 0 : 10) + place;
    const known = best.get(account);
    const isBetter =
      known === undefined || rank < known.rank || (rank === known.rank && memberId < known.memberId);
    if (isBetter) best.set(account, { memberId, rank });
  }
  return new Map([...best].map(([account, { memberId }]) => [account, memberId]));
}

/** Members with active access as staff. None if a column says who is staff. */
async function staffAmong(
  old: ReplacedDatabase,
  { tables: { members, personnelAccess } }: MoveMap,
  rows: readonly ReplacedRow[],
): Promise<Set<number> | undefined> {
  if (members === undefined || personnelAccess === undefined || isMapped(members, 'isPersonnel'))
    return undefined;
  const { personnelId } = personnelAccess.columns;
  const ids = idsIn(rows, members);
  if (typeof personnelId !== 'string' || ids.length === 0) return undefined;
  const found = await old.readMatching({
    table: personnelAccess.table,
    columns: columnsOf(personnelAccess),
    match: { [personnelId]: ids },
  });
  const grants = found.map((row) =>
    readFields(row, movedKind('personnelAccess'), personnelAccess, undefined),
  );
  return new Set(grants.filter(counts).map((fields) => Number(fields['personnelId'])));
}

/** Whether a membership or a grant of staff is active there. */
const counts = (fields: MovedFields): boolean =>
  (fields['isDeleted'] ?? 0) === 0 && (fields['active'] ?? 1) === 1;

const isMapped = (place: MovePlace, field: string): boolean => (place.columns[field] ?? null) !== null;

function idsIn(rows: readonly ReplacedRow[], place: MovePlace): ReplacedValue[] {
  const { id } = place.columns;
  return typeof id === 'string' ? rows.map((row) => row[id] ?? null).filter((value) => value !== null) : [];
}

/** The old database's names of these values of a field. */
function oldNames(place: MovePlace, field: string, values: readonly number[]): ReplacedValue[] {
  const renamed = Object.entries(place.values[field] ?? {}).filter(([, value]) =>
    values.includes(Number(value)),
  );
  return [...values, ...renamed.map(([name]) => name)];
}

/** How many rows each table has. */
export async function countMoved(
  old: ReplacedDatabase,
  map: MoveMap,
): Promise<ReadonlyMap<MovedKindName, number>> {
  const counts = new Map<MovedKindName, number>();
  for (const { kind, place } of placesIn(map)) counts.set(kind, await old.countRows(place.table));
  return counts;
}
