import { CommitUnknownError } from './commit-unknown-error.js';
import { DatabaseUnavailableError } from './database-unavailable-error.js';

/** Whether an error says that the database is away, and no more: one of a commit is about what it was to write, too. */
export function isOutage(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && !(error instanceof CommitUnknownError);
}
