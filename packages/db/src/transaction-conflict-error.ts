/**
 * A statement or transaction lost against another one and was rolled back, so that it may be run again.
 * It never leaves this package: what stays in conflict becomes a `DatabaseUnavailableError`.
 */
export class TransactionConflictError extends Error {
  override readonly name = 'TransactionConflictError';

  constructor(options?: ErrorOptions) {
    super('another transaction holds what this one needs', options);
  }
}
