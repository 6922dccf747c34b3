import Libsql from 'libsql';
import { DatabaseUnavailableError } from '../database-unavailable-error.js';

/** MySQL's numbers of a table and of a column that are not there. */
const MISSING = new Set<unknown>([1146, 1054]);
const MISSING_IN_FILE = /^(?:no such (?:table|column): |table \S+ has no column named )/;

/** The package's error where a statement met a table or a column that is not there, and that error itself otherwise. */
export function asUnmigrated(error: unknown): unknown {
  return isMissing(error) ? new DatabaseUnavailableError('unmigrated', { cause: error }) : error;
}

function isMissing(error: unknown): boolean {
  if (error instanceof Libsql.SqliteError) return MISSING_IN_FILE.test(error.message);
  return error instanceof Error && 'errno' in error && MISSING.has(error.errno);
}
