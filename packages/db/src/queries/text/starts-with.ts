import { and, type Column, gte, lt, type SQL, sql } from 'drizzle-orm';

const LAST_CODE_POINT = '\u{10FFFF}';

/**
 * True of rows whose column begins with the text, as a range: both databases answer it from an index, which the
 * embedded one does for no LIKE whose pattern is a parameter.
 */
export function startsWith(column: Column, text: string): SQL {
  return and(gte(column, text), lt(column, `${text}${LAST_CODE_POINT}`)) ?? sql`true`;
}
