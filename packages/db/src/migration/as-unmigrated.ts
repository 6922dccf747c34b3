import { DatabaseUnavailableError } from '../database-unavailable-error.js';

/** MySQL's error numbers for a missing table and a missing column. */
const MISSING = new Set<unknown>([1146, 1054]);
const MISSING_IN_FILE = /^(?:no such (?:table|column): |table \S+ has no column named )/;

/**
 * Translates the error of a missing table or column to the package's error; other errors are returned
 * unchanged.
 */
export function asUnmigrated(error: unknown): unknown {
  return isMissing(error) ? new DatabaseUnavailableError('unmigrated', { cause: error }) : error;
}

/** The driver's class is not imported: a service on MySQL would load its binary for this alone. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'SqliteError') return MISSING_IN_FILE.test(error.message);
  return 'errno' in error && MISSING.has(error.errno);
}
