import type { ReplacedColumn, ReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import type { WrittenColumns, WrittenValue } from '@gatehouse/db/replaced/replaced-sql';
import { type BackPlace, detailsOf } from './columns-back.js';

/** Why columns of a row cannot be written, as the ends of sentences about them. */
export type Misfits = ReadonlyMap<string, string>;

/** Character sets that this process measures itself; the server is asked about others. */
const UTF8: ReadonlySet<string> = new Set(['utf8mb4', 'utf8mb3', 'utf8']);

/**
 * The values in each of these complete rows that the table does not accept, so that a statement with them would fail or write
 * something else.
 */
export async function findMisfits(
  old: ReplacedDatabase,
  at: BackPlace,
  rows: readonly WrittenColumns[],
): Promise<Misfits[]> {
  const found = rows.map((columns) => {
    const misfits = new Map<string, string>();
    for (const [column, value] of Object.entries(columns)) {
      const details = detailsOf(at, column);
      const why = details === undefined ? undefined : misfitOf(value, details);
      if (why !== undefined) misfits.set(column, why);
    }
    return misfits;
  });
  for (const [characterSet, places] of foreignTexts(at, rows, found)) {
    const converted = await old.convert(
      places.map(({ text }) => text),
      characterSet,
    );
    for (const [n, { row, column, text, maxBytes }] of places.entries()) {
      const kept = converted[n];
      if (kept?.text !== text) found[row]?.set(column, `takes only characters of ${characterSet}`);
      else if (maxBytes !== null && kept.bytes > maxBytes) found[row]?.set(column, takesBytes(maxBytes));
    }
  }
  return found;
}

interface ForeignText {
  readonly row: number;
  readonly column: string;
  readonly text: string;
  readonly maxBytes: number | null;
}

function foreignTexts(
  at: BackPlace,
  rows: readonly WrittenColumns[],
  found: readonly Misfits[],
): ReadonlyMap<string, ForeignText[]> {
  const bySet = new Map<string, ForeignText[]>();
  for (const [row, columns] of rows.entries())
    for (const [column, text] of Object.entries(columns)) {
      const details = detailsOf(at, column);
      if (typeof text !== 'string' || typeof details?.characterSet !== 'string') continue;
      if (UTF8.has(details.characterSet) || found[row]?.has(column) === true) continue;
      const places = bySet.get(details.characterSet) ?? [];
      places.push({ row, column, text, maxBytes: details.maxBytes });
      bySet.set(details.characterSet, places);
    }
  return bySet;
}

function misfitOf(value: WrittenValue, column: ReplacedColumn): string | undefined {
  if (column.isComputed) return 'is computed by the database there';
  if (value === null) return column.isNullable ? undefined : NO_NULL;
  if (String(value) === column.default) return undefined;
  const { type, characterSet } = column;
  if (type === 'enum' || type === 'set') return listMisfit(String(value), column);
  if (characterSet !== null || BYTES.test(type)) return textMisfit(String(value), column);
  if (INTEGER_BITS[type] !== undefined || NUMBER.test(type)) return numberMisfit(value, column);
  return TIME.test(type) ? timeMisfit(String(value), type) : undefined;
}

const NO_NULL = 'takes no NULL, and there is no value for it here: give one under fill in the map';

const BYTES = /binary|blob/;
const NUMBER = /^(?:decimal|numeric|float|double|bit)$/;
const TIME = /^(?:datetime|timestamp|date|time|year)$/;

const takesBytes = (bytes: number): string => `takes at most ${bytes} bytes`;

function textMisfit(
  text: string,
  { characterSet, maxCharacters, maxBytes }: ReplacedColumn,
): string | undefined {
  if (characterSet !== null && characterSet !== 'utf8mb4' && UTF8.has(characterSet) && ASTRAL.test(text))
    return `takes only characters of ${characterSet}, without emojis and rare letters`;
  if (characterSet === null || UTF8.has(characterSet)) {
    if (maxBytes !== null && Buffer.byteLength(text) > maxBytes) return tooLong(maxCharacters, maxBytes);
  }
  const isTooLong = maxCharacters !== null && text.length > maxCharacters && [...text].length > maxCharacters;
  return isTooLong ? tooLong(maxCharacters, maxBytes) : undefined;
}

/** A column of characters has two limits, one in characters; a column of bytes repeats the same number. */
const tooLong = (maxCharacters: number | null, maxBytes: number | null): string =>
  maxCharacters === null || maxCharacters === maxBytes
    ? takesBytes(maxBytes ?? 0)
    : `takes at most ${maxCharacters} characters`;

/** Characters that UTF-8 writes in four bytes. */
const ASTRAL = /[\u{10000}-\u{10FFFF}]/u;

function listMisfit(text: string, { type, definition }: ReplacedColumn): string | undefined {
  const known = [...definition.matchAll(/'((?:[^']|'')*)'/g)].map(([, name = '']) =>
    name.replaceAll("''", "'"),
  );
  const isKnown = (name: string) => known.some((each) => each.toLowerCase() === name.toLowerCase());
  const parts = type === 'set' && text !== '' ? text.split(',') : [text];
  return (type === 'set' && text === '') || parts.every(isKnown)
    ? undefined
    : `takes only ${definition}: give the value a name under values in the map`;
}

const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  integer: 32,
  bigint: 64,
};

function numberMisfit(
  value: string | number,
  { type, definition, precision, scale }: ReplacedColumn,
): string | undefined {
  const number = typeof value === 'number' ? value : Number(value.trim() === '' ? Number.NaN : value);
  if (!Number.isFinite(number)) return 'takes only numbers: give the value one under values in the map';
  const isUnsigned = /unsigned/i.test(definition);
  const bits = type === 'bit' ? (precision ?? 1) : INTEGER_BITS[type];
  if (bits !== undefined) {
    const [least, most] =
      isUnsigned || type === 'bit' ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
    return Number.isInteger(number) && number >= least && number <= most
      ? undefined
      : `takes only whole numbers from ${least} to ${most}`;
  }
  if (isUnsigned && number < 0) return 'takes no negative numbers';
  if (precision === null || scale === null) return undefined;
  const fits = Math.abs(number) < 10 ** (precision - scale) && Number(number.toFixed(scale)) === number;
  return fits ? undefined : `takes only ${definition}`;
}

function timeMisfit(text: string, type: string): string | undefined {
  const isTime = /^[1-9]\d{3}-\d{2}-\d{2}/.test(text);
  const isIn = type !== 'timestamp' || (text > '1970-01-01 00:00:00' && text <= '2038-01-19 03:14:07');
  return isTime && isIn && type !== 'time' && type !== 'year' ? undefined : `takes no time as ${text}`;
}
