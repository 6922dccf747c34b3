import { CommitUnknownError } from './commit-unknown-error.js';
import { DatabaseUnavailableError } from './database-unavailable-error.js';

/**
 * Whether an error only means that the database is unavailable. A lost commit does not count, because its
 * changes may be stored.
 */
export function isOutage(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && !(error instanceof CommitUnknownError);
}
