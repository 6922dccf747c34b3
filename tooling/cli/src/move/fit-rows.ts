import type { ReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import { type WrittenColumns, wholeColumns } from '@gatehouse/db/replaced/replaced-sql';
import { findMisfits } from './column-misfits.js';
import { type BackPlace, unfilledColumns } from './columns-back.js';
import { createTakenValues, type UniqueRow } from './taken-values.js';

/** A row for the script, and its name for an operator. */
export interface ScriptRow extends UniqueRow {
  readonly named: string;
}

/**
 * Leaves out what the table would not accept, so that the script does not fail there. Reports each such value with the reason.
 */
export interface FitRows {
  /** The new rows that the table accepts. */
  add<Row extends ScriptRow>(rows: readonly Row[]): Promise<Row[]>;
  /** The changes that the table accepts. A row keeps its old value in another column. */
  change<Row extends ScriptRow>(rows: readonly Row[]): Promise<Row[]>;
}

/** @param tell says why something is not moved back */
export function createFitRows(old: ReplacedDatabase, at: BackPlace, tell: (line: string) => void): FitRows {
  const takenIn = createTakenValues(old, at);
  const unfilled = unfilledColumns(at);
  const { name } = at.table;
  const unique = 'has to be unique there, and another row has this value';
  return {
    async add(rows) {
      const misfits = await findMisfits(
        old,
        at,
        rows.map(({ columns }) => columns),
      );
      const fitting: (typeof rows)[number][] = [];
      for (const [n, row] of rows.entries()) {
        const problems = [
          ...unfilled.map((column) => `${name}.${column} needs a value`),
          ...[...(misfits[n] ?? [])].map(([column, why]) => `${name}.${column} ${why}`),
        ];
        if (problems.length === 0) {
          const taken = await takenIn(row);
          if (taken !== undefined) problems.push(`${name}.${taken} ${unique}`);
        }
        if (problems.length === 0) fitting.push(row);
        else tell(`${row.named}: ${problems.join('; ')}: it does not go back`);
      }
      return fitting;
    },
    async change(rows) {
      const changed: WrittenColumns[] = [];
      for (const row of rows) changed.push(await wholeChange(old, at, row));
      const misfits = await findMisfits(old, at, changed);
      const fitting: (typeof rows)[number][] = [];
      for (const [n, row] of rows.entries()) {
        const problems = new Map(
          Object.keys(row.columns).flatMap((column) => {
            const why = misfits[n]?.get(nameOf(column));
            return why === undefined ? [] : [[column, why] as const];
          }),
        );
        let columns = without(row.columns, problems);
        for (let taken = await takenIn({ ...row, columns }); taken !== undefined; ) {
          problems.set(taken, unique);
          columns = without(columns, problems);
          taken = await takenIn({ ...row, columns });
        }
        for (const [column, why] of problems)
          tell(`${row.named}: ${name}.${column} ${why}: it keeps its old value there`);
        if (Object.keys(columns).length > 0) fitting.push({ ...row, columns });
      }
      return fitting;
    },
  };
}

/** A column in JSON is written as `detail.id`. */
const nameOf = (column: string): string => column.split('.')[0] ?? column;

/**
 * The columns as they will be, at their longest: with the JSON to which a change is added, and a space after each character in
 * it.
 */
async function wholeChange(
  old: ReplacedDatabase,
  { place, table }: BackPlace,
  { columns, keyValues = [] }: UniqueRow,
): Promise<WrittenColumns> {
  const inside = [
    ...new Set(
      Object.keys(columns)
        .filter((column) => column.includes('.'))
        .map(nameOf),
    ),
  ];
  if (inside.length === 0) return columns;
  const [there = {}] = await old.readMatching({
    table: table.name,
    columns: inside,
    match: Object.fromEntries(place.key.map((column, n) => [column, [keyValues[n] ?? null]])),
  });
  const whole = wholeColumns({ ...there, ...columns });
  const spaced = inside.map((name) => [name, String(whole[name]).replaceAll(/[:,]/g, '$& ')] as const);
  return { ...whole, ...Object.fromEntries(spaced) };
}

const without = (columns: UniqueRow['columns'], left: ReadonlyMap<string, string>): UniqueRow['columns'] =>
  Object.fromEntries(Object.entries(columns).filter(([column]) => !left.has(column)));
