import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { escapeLike } from './escape-like.js';

/** True for rows whose column contains the text, wildcards taken literally. */
export function contains(column: SQLWrapper, text: string): SQL {
  return sql`${column} like ${`%${escapeLike(text)}%`} escape '!'`;
}
