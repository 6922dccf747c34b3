import type { ReplacedDatabase, ReplacedValue } from '@gatehouse/db/replaced/open-replaced-database';
import type { WrittenColumns } from '@gatehouse/db/replaced/replaced-sql';
import { type BackPlace, detailsOf } from './columns-back.js';

/** A row that is about to be written, and the key of the row there that it changes. */
export interface UniqueRow {
  readonly columns: WrittenColumns;
  readonly keyValues?: readonly ReplacedValue[] | undefined;
}

/**
 * Finds rows whose values in a unique index are those of another row there, or of an earlier row here, as the index compares
 * them. A value that another row gives up in the same script is treated as taken.
 * @returns the last of its columns in that index, undefined if nothing is taken
 */
export function createTakenValues(old: ReplacedDatabase, at: BackPlace) {
  const { place, table } = at;
  const seen = new Map(table.uniques.map((index) => [index, new Set<string>()]));
  return async ({ columns, keyValues }: UniqueRow): Promise<string | undefined> => {
    const own: { readonly index: readonly string[]; readonly key: string }[] = [];
    for (const index of table.uniques) {
      // The owner of this number was already looked up.
      if (index.length === 1 && index[0] === place.columns['id']) continue;
      const values = await valuesIn(old, at, index, { columns, keyValues });
      // NULL is never equal to NULL.
      if (values.includes(null)) continue;
      const texts = index.map((column, n) => typed(at, column, values[n] ?? null));
      const there = await old.readMatching({
        table: table.name,
        columns: [...new Set([...place.key, ...index])],
        match: Object.fromEntries(index.map((column, n) => [column, [texts[n] ?? null]])),
      });
      const isOwn = (row: Readonly<Record<string, ReplacedValue>>) =>
        keyValues !== undefined && place.key.every((column, n) => row[column] === keyValues[n]);
      const key = JSON.stringify(await sortKeysOf(old, at, index, texts));
      if (there.some((row) => !isOwn(row)) || seen.get(index)?.has(key) === true)
        return index.findLast((column) => column in columns) ?? index.at(-1);
      own.push({ index, key });
    }
    for (const { index, key } of own) seen.get(index)?.add(key);
    return undefined;
  };
}

/** The values that a row will have in an index; nulls for one that does not change. */
async function valuesIn(
  old: ReplacedDatabase,
  at: BackPlace,
  index: readonly string[],
  { columns, keyValues }: UniqueRow,
): Promise<ReplacedValue[]> {
  const { place, table } = at;
  if (keyValues === undefined)
    return index.map((column) =>
      column in columns ? (columns[column] ?? null) : (detailsOf(at, column)?.default ?? null),
    );
  if (!index.some((column) => column in columns)) return index.map(() => null);
  const [there = {}] = await old.readMatching({
    table: table.name,
    columns: index,
    match: Object.fromEntries(place.key.map((column, n) => [column, [keyValues[n] ?? null]])),
  });
  return index.map((column) => (column in columns ? columns[column] : there[column]) ?? null);
}

/** A number is compared with texts as a number, so that it would equal more of them. */
const typed = (at: BackPlace, column: string, value: ReplacedValue): ReplacedValue =>
  value !== null && detailsOf(at, column)?.characterSet !== null ? String(value) : value;

async function sortKeysOf(
  old: ReplacedDatabase,
  at: BackPlace,
  index: readonly string[],
  values: readonly ReplacedValue[],
): Promise<string[]> {
  const keys: string[] = [];
  for (const [n, column] of index.entries()) {
    const details = detailsOf(at, column);
    const text = String(values[n]);
    const [key = text] = details === undefined ? [] : await old.sortKeys([text], details);
    keys.push(key);
  }
  return keys;
}
