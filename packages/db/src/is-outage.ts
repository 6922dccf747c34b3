import { CommitUnknownError } from './commit-unknown-error.js';
import { DatabaseUnavailableError } from './database-unavailable-error.js';

/**
 * Whether an error says only that the database is away. A lost commit does not count, since its changes are in
 * doubt too.
 */
export function isOutage(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && !(error instanceof CommitUnknownError);
}
