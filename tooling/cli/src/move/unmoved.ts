import type { ReplacedTable } from '@gatehouse/db/replaced/open-replaced-database';
import { unfilledColumns } from './columns-back.js';
import { type MoveMap, type MovePlace, placesIn } from './move-map.js';
import { type MovedKindName, movedKind } from './moved-kinds.js';
import { columnsOf } from './read-field.js';

/** Columns of the replaced system that have no place here, in lower case and without punctuation, and why. */
const REASONS: Readonly<Record<string, string>> = {
  accesstoken: 'one-time passwords that wait for a sign-in: ask for a new one',
  authtoken: 'tokens of GET /me in plain text: get one at /auth/apiToken',
  ptoken: 'the last token of the partner: its systems get the next one here',
  ptokenexpiry: 'the end of that token',
  role: 'the label follows from role_type',
};

/** Says which tables and columns the map leaves out, and why. */
export function listUnmoved(tables: readonly ReplacedTable[], map: MoveMap): string[] {
  const places = placesIn(map);
  return tables.flatMap((table) => {
    const own = places.filter(({ place }) => place.table === table.name);
    if (own.length === 0) return [`table ${table.name}: the map does not name it`];
    const used = new Set(own.flatMap(({ kind, place }) => [...columnsOf(readIn(kind, place)), ...place.key]));
    return table.columns
      .filter((column) => !used.has(column))
      .map((column) => {
        const reason = REASONS[column.toLowerCase().replace(/[^a-z0-9]/g, '')];
        return `${table.name}.${column}: ${reason ?? 'there is no place for it here'}`;
      });
  });
}

/** The place without the columns that are only written when moving back. */
const readIn = (kind: MovedKindName, place: MovePlace): MovePlace => ({
  ...place,
  columns: Object.fromEntries(
    Object.entries(place.columns).filter(([field]) => movedKind(kind).fields[field]?.labels === undefined),
  ),
});

/** What makes the map slow or impossible to read, as sentences. */
export function findMapFaults(tables: readonly ReplacedTable[], map: MoveMap): string[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return placesIn(map).flatMap(({ kind, place }) => {
    const table = byName.get(place.table);
    if (table === undefined) return [`${kind}: there is no table ${place.table}`];
    return [...new Set([...columnsOf(place), ...place.key, ...Object.keys(place.fill)])]
      .filter((column) => !table.columns.includes(column))
      .map((column) => `${kind}: the table ${place.table} has no column ${column}`);
  });
}

/** Says which columns of new rows would get no value, so that they cannot be moved back. */
export function listUnfilled(tables: readonly ReplacedTable[], map: MoveMap): string[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return placesIn(map).flatMap(({ kind, place }) => {
    const table = byName.get(place.table);
    const columns = table === undefined ? [] : unfilledColumns({ place, table });
    return columns.map(
      (column) =>
        `${place.table}.${column} takes no NULL and has no default: rows that are new here go back only with a value for it in the map, as tables.${kind}.fill: { ${column}: … }`,
    );
  });
}

/** What makes the tables slow to read, as sentences. */
export function findSlowReads(tables: readonly ReplacedTable[], map: MoveMap): string[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const {
    tables: { accounts, memberships, members, personnelAccess },
  } = map;
  const looked = [
    ...placesIn(map).map(({ place }) => [place.table, place.key[0]] as const),
    ...(accounts?.columns['ownerId'] === null && memberships !== undefined
      ? [[memberships.table, memberships.columns['accountId']] as const]
      : []),
    ...(members?.columns['isPersonnel'] === null && personnelAccess !== undefined
      ? [[personnelAccess.table, personnelAccess.columns['personnelId']] as const]
      : []),
  ];
  const slow = looked.filter(
    ([table, column]) => typeof column === 'string' && byName.get(table)?.indexed.includes(column) === false,
  );
  return [
    ...new Set(
      slow.map(
        ([table, column]) =>
          `${table}: no index begins with ${column}, so that each portion reads the whole table`,
      ),
    ),
  ];
}
