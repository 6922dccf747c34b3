/** Bounds of one database handle; every time is in milliseconds. */
export interface OpenOptions {
  /** Connections held to MySQL at most. */
  poolSize?: number;
  /** Callers that may wait for a connection, or for their turn to write, before the next is refused. */
  queueLimit?: number;
  /** How long making one connection may take, until its session is set up. */
  connectTimeoutMs?: number;
  /** How long a caller waits for a connection of the pool. */
  acquireTimeoutMs?: number;
  /** How long one statement may take, with the wait for a connection, and with what is tried again. */
  queryTimeoutMs?: number;
  /**
   * How long a transaction may last before it is rolled back, on MySQL with the wait for a connection and with what is tried
   * again. Its end may take a quarter of a second more.
   */
  transactionTimeoutMs?: number;
  /** How long the embedded database may be locked by other processes. */
  busyTimeoutMs?: number;
  /** How long a writer of the embedded database waits for its turn in this process, and on the whole if that is longer. */
  writeLockTimeoutMs?: number;
}

/** The bounds where the caller states none. */
export const DEFAULT_OPEN_OPTIONS: Required<OpenOptions> = {
  poolSize: 10,
  queueLimit: 5_000,
  connectTimeoutMs: 2_000,
  acquireTimeoutMs: 3_000,
  queryTimeoutMs: 5_000,
  transactionTimeoutMs: 10_000,
  busyTimeoutMs: 5_000,
  writeLockTimeoutMs: 15_000,
};
