/** Why the database could not be asked. */
export type UnavailableReason =
  /** No connection could be made. */
  | 'refused'
  /** The connection broke; a write that was under way may or may not have happened. */
  | 'lost'
  /** No answer within the time allowed; a write that was under way may or may not have happened. */
  | 'timeout'
  /** Too many callers already wait. */
  | 'overloaded'
  /** The server knows neither this user with this password, nor lets them into this database, or has no such database. */
  | 'denied'
  /** There is no room to write; what was to be written was not, and reading goes on. */
  | 'full'
  /** Other writers kept the rows or the file locked for too long. */
  | 'busy'
  /** The handle has been closed. */
  | 'closed';

/** The database is away, hung or overloaded: the caller may come back later. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
  readonly reason: UnavailableReason;
  /** What the driver calls it, as `ECONNREFUSED` or `SQLITE_FULL`, where it has a name for it. */
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
