/** What a write did. */
export interface WriteResult {
  /** Rows matched by an update or delete, or inserted. */
  rows: number;
  /** The auto-increment id of an insert, or 0. */
  insertId: number;
}

/** The session of one connection, or of any connection: what a transaction and the whole database have in common. */
export interface StatementRunner {
  /** Rows as arrays, in the order of the selected columns. */
  read(sql: string, params: readonly unknown[]): Promise<unknown[][]>;
  write(sql: string, params: readonly unknown[]): Promise<WriteResult>;
}

/**
 * One of the two databases.
 *
 * Errors are those of the package; a `TransactionConflictError` says that the statement or transaction may be run again.
 */
export interface Driver extends StatementRunner {
  /** Runs the body once in one transaction; commits when it resolves, rolls back when it rejects. */
  transaction<Result>(body: (runner: StatementRunner) => Promise<Result>): Promise<Result>;
  /**
   * Runs the body while no other process or node runs one, without a limit of time. What it does within
   * `inTransaction` is committed together; the embedded database commits the whole body together.
   */
  exclusively<Result>(
    body: (
      runner: StatementRunner,
      inTransaction: (changes: () => Promise<void>) => Promise<void>,
    ) => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}
