import { DatabaseUnavailableError, type UnavailableReason } from './database-unavailable-error.js';

/**
 * The answer to a commit was lost, so its changes may or may not be stored. A write outside a transaction
 * commits by itself and counts too. Do not retry it blindly: it could be applied twice.
 */
export class CommitUnknownError extends DatabaseUnavailableError {
  override readonly name: string = 'CommitUnknownError';

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(reason, options);
    this.message = `the outcome of a commit is unknown: ${reason}`;
  }
}
