import { and, type Column, gte, lt, type SQL, sql } from 'drizzle-orm';
import { firstTextAfter } from './first-text-after.js';

/**
 * True for rows whose column begins with the text, as a range. Both databases use an index for it; the
 * embedded one does not for a LIKE with a parameter.
 */
export function startsWith(column: Column, text: string): SQL {
  const end = firstTextAfter(text);
  return and(gte(column, text), end === undefined ? undefined : lt(column, end)) ?? sql`true`;
}
