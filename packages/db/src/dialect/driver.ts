/** The result of a write. */
export interface WriteResult {
  /** Rows matched by an update or delete, or inserted. */
  rows: number;
  /** The auto-increment id of an insert, or 0. */
  insertId: number;
}

/**
 * The session of one connection, or of any connection: the common part of a transaction and the whole
 * database.
 */
export interface StatementRunner {
  /** Rows as arrays, in the order of the selected columns. */
  read(sql: string, params: readonly unknown[]): Promise<unknown[][]>;
  write(sql: string, params: readonly unknown[]): Promise<WriteResult>;
}

/** How busy a pool of connections is. */
export interface PoolLoad {
  /** The maximum number of connections. */
  readonly limit: number;
  readonly inUse: number;
  /** Callers who wait for a connection. */
  readonly waiting: number;
}

/**
 * One of the two databases.  Errors are those of the package; after a `TransactionConflictError` the
 * statement or transaction can be repeated.  Deadlines are monotonic milliseconds and include every wait;
 * without one the driver's own time-outs apply.
 */
export interface Driver extends StatementRunner {
  read(sql: string, params: readonly unknown[], deadlineMs?: number): Promise<unknown[][]>;
  /** @throws CommitUnknownError when the answer is lost: the write may have been made */
  write(sql: string, params: readonly unknown[], deadlineMs?: number): Promise<WriteResult>;
  /**
   * Runs the body once in one transaction; commits when it resolves, rolls back when it rejects.
   *
   * @param isFlushed false to let the embedded database flush the commit with the next one; it survives the process, not the machine
   * @throws CommitUnknownError when the answer to the commit is lost
   */
  transaction<Result>(
    body: (runner: StatementRunner) => Promise<Result>,
    deadlineMs?: number,
    isFlushed?: boolean,
  ): Promise<Result>;
  /**
   * Runs the body while no other process or node runs one, without a time limit. MySQL commits each
   * `inTransaction` separately, the embedded database the whole body at once.
   */
  exclusively<Result>(
    body: (
      runner: StatementRunner,
      inTransaction: (changes: () => Promise<void>) => Promise<void>,
    ) => Promise<Result>,
  ): Promise<Result>;
  /** Uses a new connection, which shows whether the database can be reached now. For reads only. */
  onNewConnection<Answer>(use: (runner: Pick<StatementRunner, 'read'>) => Promise<Answer>): Promise<Answer>;
  /** Reads the database as it is at one moment, on a connection of its own, however long the body takes. */
  snapshot<Answer>(body: (runner: Pick<StatementRunner, 'read'>) => Promise<Answer>): Promise<Answer>;
  /** Absent where there is no pool. */
  readonly poolLoad?: () => PoolLoad;
  close(): Promise<void>;
}

/** Runs a statement within a span. The text contains placeholders, never a value. */
export type TraceStatement = <Answer>(sql: string, run: () => Promise<Answer>) => Promise<Answer>;

/** Reports each statement to a tracer. Without a tracer the driver is returned unchanged. */
export function tracedDriver(driver: Driver, trace: TraceStatement): Driver {
  const traced = (runner: StatementRunner): StatementRunner => ({
    read: (sql, params) => trace(sql, () => runner.read(sql, params)),
    write: (sql, params) => trace(sql, () => runner.write(sql, params)),
  });
  return {
    ...driver,
    read: (sql, params, deadlineMs) => trace(sql, () => driver.read(sql, params, deadlineMs)),
    write: (sql, params, deadlineMs) => trace(sql, () => driver.write(sql, params, deadlineMs)),
    transaction: (body, deadlineMs, isFlushed) =>
      driver.transaction((runner) => body(traced(runner)), deadlineMs, isFlushed),
  };
}
