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
  /** Other writers kept the rows or the file locked for too long. */
  | 'busy'
  /** The handle has been closed. */
  | 'closed';

/** The database is away, hung or overloaded: the caller may come back later. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(`the database is unavailable: ${reason}`, options);
    this.reason = reason;
  }
}
