import { type Column, type SQL, sql } from 'drizzle-orm';
import { escapeLike } from './escape-like.js';

/** True of rows whose column holds the text anywhere, wildcards taken literally. */
export function contains(column: Column, text: string): SQL {
  return sql`${column} like ${`%${escapeLike(text)}%`} escape '!'`;
}
