import type { Database } from '../../database.js';
import { databaseTime } from './database-time.js';

/** The database server's clock, as a value for a row to be inserted. */
export function databaseInstant(db: Database): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder writes an expression into the statement where it stands in the place of a value
  return databaseTime(db) as unknown as number;
}
