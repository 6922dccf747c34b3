/** Why the database could not be used. */
export type UnavailableReason =
  /** No connection could be made. */
  | 'refused'
  /** The connection broke. A write in progress may or may not have happened. */
  | 'lost'
  /** No answer in time. A write in progress may or may not have happened. */
  | 'timeout'
  /** Too many callers already wait. */
  | 'overloaded'
  /**
   * The server rejects this user or password, or the user may not use the database, or the database does not
   * exist, or server and URL do not agree about TLS.
   */
  | 'denied'
  /** The disk is full. The write did not happen; reads still work. */
  | 'full'
  /** Other writers locked the rows or the file for too long. */
  | 'busy'
  /** A table or a column is missing: migrations have to be run. */
  | 'unmigrated'
  /** The handle has been closed. */
  | 'closed';

/** The database is unavailable, hung or overloaded. The caller may try again later. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
  readonly reason: UnavailableReason;
  /** The driver's error code, such as `ECONNREFUSED` or `SQLITE_FULL`, if it has one. */
  readonly code: string | undefined;

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(`the database is unavailable: ${reason}`, options);
    this.reason = reason;
    this.code = codeOf(options?.cause);
  }
}

function codeOf(cause: unknown): string | undefined {
  const isNamed = cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
  return isNamed ? String(cause.code) : undefined;
}

/**
 * The answer to a commit was lost, so its changes may or may not be stored. A write outside a transaction commits by itself, so
 * this applies to it too. Do not retry it blindly: it could be applied twice.
 */
export class CommitUnknownError extends DatabaseUnavailableError {
  override readonly name: string = 'CommitUnknownError';

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(reason, options);
    this.message = `the outcome of a commit is unknown: ${reason}`;
  }
}

/**
 * Whether an error only means that the database is unavailable. A lost commit is not included, because its changes may be stored.
 */
export function isOutage(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && !(error instanceof CommitUnknownError);
}

/** A row was refused because a unique index already holds its key. */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
  /** The name of the unique index, the same on both databases: `members_username_key_unique`, or `PRIMARY`. */
  readonly constraint: string;

  constructor(constraint: string, options?: ErrorOptions) {
    super(`the unique index ${constraint} already holds this key`, options);
    this.constraint = constraint;
  }
}

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
