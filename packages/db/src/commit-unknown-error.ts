import { DatabaseUnavailableError, type UnavailableReason } from './database-unavailable-error.js';

/**
 * A commit was sent and its answer did not come: what it was to commit may or may not have happened. A write outside of a
 * transaction commits by itself and counts as one. Running it again by itself could apply it twice.
 */
export class CommitUnknownError extends DatabaseUnavailableError {
  override readonly name: string = 'CommitUnknownError';

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(reason, options);
    this.message = `the outcome of a commit is unknown: ${reason}`;
  }
}
