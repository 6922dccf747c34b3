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
