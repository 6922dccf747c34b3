import { and, type Column, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Text for a LIKE pattern with `escape '!'`, in which `%`, `_` and `!` are literal; a backslash always is.
 */
function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}

/** True for rows whose column contains the text, wildcards taken literally. */
export function contains(column: SQLWrapper, text: string): SQL {
  return sql`${column} like ${`%${escapeLike(text)}%`} escape '!'`;
}

const LAST_CODE_POINT = 0x10ffff;

const FIRST_SURROGATE = 0xd800;

const AFTER_SURROGATES = 0xe000;

/** The first text, by code points, after every text that begins with this one. Undefined if there is none. */
export function firstTextAfter(text: string): string | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/**
 * True for rows whose column begins with the text, as a range. Both databases use an index for it; the
 * embedded one does not for a LIKE with a parameter.
 */
export function startsWith(column: Column, text: string): SQL {
  const end = firstTextAfter(text);
  return and(gte(column, text), end === undefined ? undefined : lt(column, end)) ?? sql`true`;
}
