import type { ReplacedTable } from '@gatehouse/db/replaced/open-replaced-database';
import type { MoveMap, MovePlace } from './move-map.js';
import { MOVED_KIND_NAMES, type MovedKind, movedKind } from './moved-kinds.js';

/** Values that the replaced system is known to use, or likely to. */
const KNOWN_VALUES: Readonly<Record<string, MovePlace['values']>> = {
  subscriptions: {
    state: { trial: 'trialing', cancelled: 'canceled', ended: 'expired', '1': 'active', '0': 'expired' },
    provider: { '1': 'stripe', '2': 'paddle' },
  },
  connections: {
    token_status: { '1': 'valid', '0': 'expired', active: 'valid', inactive: 'expired', invalid: 'expired' },
  },
};

/** Guesses from the names of tables and columns which of them hold what. Each table holds one kind. */
export function guessMap(tables: readonly ReplacedTable[]): MoveMap {
  const taken = new Set<string>();
  const places: MoveMap['tables'] = {};
  for (const kind of MOVED_KIND_NAMES) {
    const found = bestTable(
      tables.filter(({ name }) => !taken.has(name)),
      movedKind(kind),
    );
    if (found === undefined) continue;
    taken.add(found.name);
    const columns = columnsFor(found, movedKind(kind));
    const values = Object.fromEntries(
      Object.entries(KNOWN_VALUES[kind] ?? {}).filter(([field]) => (columns[field] ?? null) !== null),
    );
    places[kind] = { table: found.name, key: keyOf(found, columns), columns, values, fill: {} };
  }
  return { tables: places, corrections: {} };
}

function bestTable(tables: readonly ReplacedTable[], kind: MovedKind): ReplacedTable | undefined {
  const rank = ({ name }: ReplacedTable) => {
    const at = kind.tableNames.indexOf(bare(name));
    return at === -1 ? kind.tableNames.length : at;
  };
  const fitting = tables.filter((table) => {
    const columns = columnsFor(table, kind);
    return Object.entries(kind.fields).every(([field, { isNeeded }]) => !isNeeded || columns[field] !== null);
  });
  const [best] = fitting.toSorted((one, other) => rank(one) - rank(other));
  if (best === undefined) return undefined;
  // Without its name, a table is known only by the names of columns that no other kind has.
  return rank(best) < kind.tableNames.length || hasTellingName(best, kind) ? best : undefined;
}

/** Columns of the replaced system's interface that reveal what a table is. */
const TELLING = new Set(['sid', 'personnelid', 'partnername', 'accesstoken']);

function hasTellingName(table: ReplacedTable, kind: MovedKind): boolean {
  const names = new Set(table.columns.map(bare));
  const isMembership = ['memberid', 'accountid', 'roletype'].every((name) => names.has(name));
  return Object.values(kind.fields).some(
    ({ isNeeded, names: [first = ''] }) =>
      isNeeded && ((TELLING.has(first) && names.has(first)) || (first === 'roletype' && isMembership)),
  );
}

function columnsFor(table: ReplacedTable, kind: MovedKind): Record<string, string | null> {
  const byName = new Map(table.columns.map((column) => [bare(column), column]));
  const used = new Set<string>();
  return Object.fromEntries(
    Object.entries(kind.fields).map(([field, { names, labels }]) => {
      const found = names
        .map((name) => byName.get(name))
        .find(
          (each) => each !== undefined && !used.has(each) && (labels === undefined || isText(table, each)),
        );
      if (found !== undefined) used.add(found);
      return [field, found ?? null];
    }),
  );
}

const isText = ({ details }: ReplacedTable, column: string): boolean =>
  typeof details[column]?.characterSet === 'string';

/** The primary key; else the columns that name a row, for the operator to check. */
function keyOf(table: ReplacedTable, columns: Readonly<Record<string, string | null>>): string[] {
  if (table.key.length > 0) return [...table.key];
  const naming = [columns['id'], columns['memberId'], columns['personnelId'], columns['accountId']];
  return naming.filter((column) => typeof column === 'string');
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
