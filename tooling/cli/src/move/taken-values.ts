import type { ReplacedDatabase, ReplacedValue } from '@gatehouse/db/replaced/open-replaced-database';
import type { WrittenColumns } from '@gatehouse/db/replaced/replaced-sql';
import { type BackPlace, detailsOf } from './columns-back.js';

/** A row that is about to be written, and the key of the row there that it changes. */
export interface UniqueRow {
  readonly columns: WrittenColumns;
  readonly keyValues?: readonly ReplacedValue[];
}

/**
 * Finds rows whose values in a unique index are those of another row there, or of a row that was seen before, as the index compares
 * them. A value that another row gives up in the same script counts as taken.
 * @returns of each row the column with which the index ends, undefined where nothing is taken
 */
export function createTakenValues(old: ReplacedDatabase, at: BackPlace) {
  const { place, table } = at;
  const seen = new Map(table.uniques.map((index) => [index, new Set<string>()]));
  return async ({ columns, keyValues }: UniqueRow): Promise<string | undefined> => {
    const own: { readonly index: readonly string[]; readonly key: string }[] = [];
    for (const index of table.uniques) {
      const values = index.map((column) => columns[column] ?? null);
      // NULL is never equal to NULL, and a member with this number was looked for before.
      if (values.includes(null) || (index.length === 1 && index[0] === place.columns['id'])) continue;
      const texts = index.map((column, n) => typed(at, column, values[n] ?? null));
      const there = await old.readMatching({
        table: table.name,
        columns: [...new Set([...place.key, ...index])],
        match: Object.fromEntries(index.map((column, n) => [column, [texts[n] ?? null]])),
      });
      const isOwn = (row: Readonly<Record<string, ReplacedValue>>) =>
        keyValues !== undefined && place.key.every((column, n) => row[column] === keyValues[n]);
      const key = JSON.stringify(await sortKeysOf(old, at, index, texts));
      if (there.some((row) => !isOwn(row)) || seen.get(index)?.has(key) === true) return index.at(-1);
      own.push({ index, key });
    }
    for (const { index, key } of own) seen.get(index)?.add(key);
    return undefined;
  };
}

/** A number is compared with texts as a number, so that it would be equal to more. */
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
