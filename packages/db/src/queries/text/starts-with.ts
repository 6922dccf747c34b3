import { and, type Column, gte, lt, type SQL, sql } from 'drizzle-orm';
import { firstTextAfter } from './first-text-after.js';

/**
 * True of rows whose column begins with the text, as a range: both databases answer it from an index, which the
 * embedded one does for no LIKE whose pattern is a parameter.
 */
export function startsWith(column: Column, text: string): SQL {
  const end = firstTextAfter(text);
  return and(gte(column, text), end === undefined ? undefined : lt(column, end)) ?? sql`true`;
}
