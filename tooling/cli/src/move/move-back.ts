import { findMovedRows } from '@gatehouse/db/queries/moved-rows';
import {
  deleteSql,
  insertSql,
  SCRIPT_END,
  SCRIPT_START,
  updateSql,
  type WrittenColumns,
} from '@gatehouse/db/replaced/replaced-sql';
import type { CommandContext } from '../command.js';
import { holdsSecret } from '../holds-secret.js';
import { dataCipherIn } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { rolesIn } from '../with-database.js';
import { type BackPlace, columnsBack, detailsOf, emptyBack, newColumnsBack } from './columns-back.js';
import { describeRow } from './describe-row.js';
import {
  type BackContext,
  fieldFinding,
  fieldFindingThere,
  fieldsThere,
  findRowsBack,
  identityOf,
  listRowsBack,
  NOBODYS,
  type RowBack,
} from './fields-back.js';
import { createFitRows, type FitRows, type ScriptRow } from './fit-rows.js';
import { placesIn } from './move-map.js';
import { type MovedKindName, movedKind } from './moved-kinds.js';
import { type MovedFields, readValue } from './read-field.js';
import { countMoved, findOldRows, type Reading, readMovedRows } from './read-moved-rows.js';
import type { MoveInput } from './run-move.js';
import { type MovedRow, needsOf } from './to-moved-row.js';
import { listUnfilled } from './unmoved.js';

/** Rows read at once. */
const PAGE = 500;

/** Kinds whose rows are never removed here, only marked. */
const KEPT: ReadonlySet<MovedKindName> = new Set(['members', 'accounts']);

/** Fields that no change here concerns, or that only say how a row was read. */
const LEFT: ReadonlySet<string> = new Set([
  'createdAt',
  'detail',
  'isBanned',
  'plainPassword',
  'displayName',
]);

/** What moving back needs. */
export interface BackInput extends MoveInput {
  /** The moment of the switch, in epoch milliseconds. */
  readonly sinceMs: number;
  /** Takes the lines of the script. */
  write(lines: readonly string[]): Promise<void>;
}

interface Tally {
  added: number;
  changed: number;
  removed: number;
}

/**
 * Writes what changed here as statements for the replaced database: rows that were made since the switch, every field that
 * differs of moved rows, and moved rows that were removed here. Nothing about a row that changed there since it was moved.
 * @returns the exit code: 1 while a change cannot be moved back
 */
export async function moveBack(context: CommandContext, input: BackInput): Promise<number> {
  const { say, draw, env } = context;
  const { db, old, map, sinceMs, write } = input;
  const back: BackContext = { db, cipher: dataCipherIn(env), roles: rolesIn(context), sinceMs };
  const tables = await old.listTables();
  const counts = await countMoved(old, map);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const progress = createProgressBar({ title: 'rows', total, draw, say });
  let unwritten = 0;
  const tell = (line: string) => {
    unwritten += 1;
    say(line);
  };
  const summary: string[] = [];
  /** New rows that are not moved back. */
  const left = new Set<string>();
  const byName = new Map(tables.map((table) => [table.name, table]));
  const places = placesIn(map).flatMap(({ kind, place }) => {
    const table = byName.get(place.table);
    return table === undefined ? [] : [{ kind, at: { place, table } }];
  });
  for (const line of listUnfilled(tables, map)) say(line);
  await write(SCRIPT_START);
  for (const { kind, at } of places) {
    const fit = createFitRows(old, at, tell);
    const tally: Tally = { added: 0, changed: 0, removed: 0 };
    const reading: Reading = {
      arePlain: input.arePlain,
      map,
      accepted: input.accepted,
      roles: rolesIn(context),
      isOurSecret: (text: string) => holdsSecret(env, text),
    };
    for await (const rows of readMovedRows(old, kind, reading)) {
      await write(await changesOf(back, kind, rows, { at, fit, tally, left, tell }));
      progress.advance(rows.length);
    }
    for await (const rows of listRowsBack(back, kind, PAGE)) {
      const added: ScriptRow[] = [];
      for (const { fields, is } of await compareNew(input, kind, { rows, reading, at })) {
        const named = describeRow(kind, identityOf(kind, fields));
        const lost = needsOf(kind, fields).find((needed) => left.has(describeRow(...needed)));
        if (is === 'another') {
          left.add(named);
          tell(`${named}: there is another one of this number there: it does not go back`);
        } else if (lost !== undefined) {
          left.add(named);
          tell(`${named}: left out, because ${describeRow(...lost)} does not go back`);
        } else if (is === 'new') {
          left.add(named);
          added.push({ named, columns: newColumnsBack(kind, fields, at) });
        }
      }
      const fitting = await fit.add(added);
      for (const { named } of fitting) left.delete(named);
      await write(fitting.map(({ columns }) => insertSql(at.place.table, columns)));
      tally.added += fitting.length;
    }
    summary.push(`${kind}: ${tally.added} to add, ${tally.changed} to change, ${tally.removed} to remove`);
  }
  await write([SCRIPT_END]);
  for (const line of summary) say(line);
  return unwritten === 0 ? 0 : 1;
}

interface Place {
  readonly at: BackPlace;
  readonly fit: FitRows;
  readonly tally: Tally;
  /** New rows that are not moved back. */
  readonly left: ReadonlySet<string>;
  /** Says why something is not moved back. */
  tell(line: string): void;
}

/** The statements for moved rows. */
async function changesOf(
  back: BackContext,
  kind: MovedKindName,
  rows: readonly MovedRow[],
  { at, fit, tally, left, tell }: Place,
): Promise<string[]> {
  const { db, cipher } = back;
  const moved = await findMovedRows(
    db,
    kind,
    rows.map(({ key }) => key),
  );
  const came = rows.flatMap(({ key, record, keyValues }) => {
    const digest = moved.get(key)?.digest;
    if (digest === undefined || record === undefined) return [];
    const isSame = cipher.digests(JSON.stringify(record), `movedRow:${kind}:${key}`).includes(digest);
    return [{ key, there: fieldsThere(record), isSame, keyValues }];
  });
  const finding = fieldFinding(kind);
  const values = came.map(({ there }) => there[finding]).filter(isKey);
  const here = new Map(
    (await findRowsBack(back, kind, values)).map(({ identity, fields }) => [identity, fields]),
  );
  const statements: string[] = [];
  const changed: (ScriptRow & { readonly keyColumns: WrittenColumns })[] = [];
  for (const { key, there, isSame, keyValues } of came) {
    const named = describeRow(kind, key);
    const fields = here.get(identityOf(kind, there));
    const changes = fields === undefined ? undefined : differing(kind, there, fields, at);
    if (changes !== undefined && Object.keys(changes).length === 0) continue;
    if (!isSame) {
      tell(`${named}: changed here, and there since it came: nothing of it goes back`);
      continue;
    }
    const keyColumns = Object.fromEntries(at.place.key.map((column, n) => [column, keyValues[n] ?? null]));
    if (changes === undefined) {
      if (!KEPT.has(kind)) statements.push(deleteSql(at.place.table, keyColumns));
      continue;
    }
    const lost = needsOf(kind, changes).find((needed) => left.has(describeRow(...needed)));
    if (lost !== undefined) {
      tell(`${named}: changed here, but ${describeRow(...lost)} does not go back: nothing of it goes back`);
      continue;
    }
    for (const field of withoutColumn(kind, changes, at))
      tell(`${named}: ${field} changed here, and has no column there`);
    changed.push({ named, columns: columnsBack(kind, changes, at), keyValues, keyColumns });
  }
  tally.removed += statements.length;
  for (const { columns, keyColumns } of await fit.change(changed)) {
    tally.changed += 1;
    statements.push(updateSql(at.place.table, keyColumns, columns));
  }
  return statements;
}

const isKey = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * The fields that differ here, with the label of one that does. A field that the row there does not have is compared as empty.
 */
function differing(kind: MovedKindName, there: MovedFields, here: MovedFields, at: BackPlace): MovedFields {
  const { fields } = movedKind(kind);
  const differs = (field: string): boolean => {
    const value = here[field];
    if (LEFT.has(field) || value === undefined) return false;
    const { as, labels } = fields[field] ?? {};
    if (labels !== undefined) return differs(labels);
    // Without an address there is nothing to confirm.
    if (field === 'confirmed' && here['email'] === null) return false;
    const isTime = as === 'instant';
    if (value === null && as !== undefined) {
      const empty = emptyBack(at, at.place.columns[field] ?? '');
      if (empty !== undefined && compared(there[field], isTime) === compared(readValue(empty, as), isTime))
        return false;
    }
    return compared(value, isTime) !== compared(there[field] ?? null, isTime);
  };
  return Object.fromEntries(Object.entries(here).filter(([field]) => differs(field)));
}

/** A value for comparison. The old tables have times to the second. */
const compared = (value: unknown, isTime: boolean): string =>
  JSON.stringify(isTime && typeof value === 'number' ? Math.floor(value / 1000) : value);

/** Fields that a move makes up if there is no column, so that nothing is lost with them. */
const MADE_UP: Readonly<Partial<Record<MovedKindName, readonly string[]>>> = {
  accounts: ['ownerId'],
  members: ['isPersonnel', 'confirmed', 'defaultPaymentId'],
  affiliates: ['payoutEmail'],
};

function withoutColumn(kind: MovedKindName, changes: MovedFields, { place }: BackPlace): string[] {
  const known = MADE_UP[kind] ?? [];
  return Object.keys(changes).filter((field) => {
    if (movedKind(kind).fields[field]?.labels !== undefined) return false;
    // The address is the login identifier, which is moved back.
    if (field === 'email' && 'sid' in changes) return false;
    return (place.columns[field] ?? null) === null && !known.includes(field);
  });
}

/** The state there of a row that was made here since the switch: missing, the same after an earlier script, or another row. */
interface NewRow {
  readonly fields: MovedFields;
  readonly is: 'new' | 'there' | 'another';
}

async function compareNew(
  { old, map: { tables: places } }: MoveInput,
  kind: MovedKindName,
  {
    rows,
    reading,
    at,
  }: { readonly rows: readonly RowBack[]; readonly reading: Reading; readonly at: BackPlace },
): Promise<NewRow[]> {
  const field = fieldFindingThere(kind);
  const values = rows.map(({ fields }) => fields[field]).filter(isKey);
  const found = await findOldRows(old, kind, { field, values: [...new Set(values)] }, reading);
  const known = new Map(
    found.map(({ record, key }) => {
      const there = record === undefined ? undefined : fieldsThere(record);
      return [there === undefined ? key : identityOf(kind, there), there] as const;
    }),
  );
  const columns = places[kind]?.columns ?? {};
  return rows.map(({ identity, fields }) => {
    if (!known.has(identity)) return { fields, is: 'new' };
    const there = known.get(identity);
    const changes = Object.entries(there === undefined ? fields : differing(kind, there, fields, at));
    const isSame = changes.every(([name, value]) => {
      const column = columns[name] ?? null;
      return column === null || isUnknowable(name, value) || (value === null && hasOwnDefault(at, column));
    });
    return { fields, is: isSame ? 'there' : 'another' };
  });
}

/** Whether a value was made for the old database, so that nothing there can equal it. */
const isUnknowable = (field: string, value: unknown): boolean =>
  field === 'password' && typeof value === 'string' && value.startsWith(NOBODYS);

/** Whether nothing becomes a default that only the server knows. */
function hasOwnDefault(at: BackPlace, column: string): boolean {
  const details = detailsOf(at, column);
  return details?.isNullable === false && details.isFilled;
}
