import { fileURLToPath } from 'node:url';

/** Limits of one database handle; every time is in milliseconds. */
export interface OpenOptions {
  /** The most connections to MySQL. */
  poolSize?: number;
  /** How many callers may wait for a connection, or to write, before the next is refused. */
  queueLimit?: number;
  /** The time limit for opening one connection, including its session setup. */
  connectTimeoutMs?: number;
  /** How long a caller waits for a connection of the pool. */
  acquireTimeoutMs?: number;
  /** The time limit of one statement, including the wait for a connection and retries. */
  queryTimeoutMs?: number;
  /**
   * The time limit of a transaction, including retries and, on MySQL, the wait for a connection. Its commit or
   * rollback may take another 250 ms.
   */
  transactionTimeoutMs?: number;
  /** How long the embedded database may be locked by other processes. */
  busyTimeoutMs?: number;
  /**
   * How long a writer of the embedded database waits for the write lock of this process. If this is longer
   * than the limit of a statement or transaction, it replaces that limit.
   */
  writeLockTimeoutMs?: number;
}

/** The default limits. */
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

/** The file of a `file:` URL, absolute (`file:///data/g.db`) or relative (`file:.data/g.db`). */
export function embeddedPath(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length));
}
