/**
 * A statement or transaction lost a conflict and was rolled back, so that it can be repeated. It never leaves
 * this package: a conflict that remains becomes a `DatabaseUnavailableError`.
 */
export class TransactionConflictError extends Error {
  override readonly name = 'TransactionConflictError';

  constructor(options?: ErrorOptions) {
    super('another transaction holds what this one needs', options);
  }
}
