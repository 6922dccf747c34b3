import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { MySqlRemoteDatabase } from 'drizzle-orm/mysql-proxy';
import type { UnavailableReason } from './database-errors.js';
import type { PoolLoad } from './dialect/driver.js';
import type { ReadRows } from './dialect/statement-builder.js';
import type { Tables } from './tables/define-tables.js';

/** The server's own facts, read in one of our sessions. */
export interface ServerFacts {
  readonly dialect: 'libsql' | 'mysql';
  /** Such as `10.11.6-MariaDB` or `8.0.36`; SQLite's version for the embedded database. */
  readonly version: string;
  /** The server's clock, in epoch milliseconds. The embedded database uses ours. */
  readonly nowMs: number | undefined;
  /** Server variables by name. Empty for the embedded database. */
  readonly variables: ReadonlyMap<string, string>;
}

/** The result of a run of the migrations. */
export interface MigrationReport {
  /** Names of the migrations this run completed, oldest first. */
  applied: string[];
  /** How many migrations the database has now. */
  total: number;
}

/** The dialect of the database. */
export type Dialect = 'libsql' | 'mysql';

/** A built update or delete that has not run yet. */
export interface WriteStatement {
  toSQL(): { sql: string; params: unknown[] };
}

/** How many statements a handle has sent. */
export interface DatabaseStatistics {
  /** Statements that read, in and out of transactions. */
  reads: number;
  /** Statements that insert, change or remove rows. */
  writes: number;
  /** How often the database was unavailable, by reason, with the latest error code. */
  readonly unavailable: Map<UnavailableReason, { count: number; code: string | undefined }>;
}

/**
 * One open database, or one transaction in it.  Errors: `DuplicateKeyError` if a unique index refuses a row;
 * `DatabaseUnavailableError` if the database is unavailable, hung, overloaded or locked for too long; its
 * subclass `CommitUnknownError` if a write may or may not be stored. Other errors of the driver pass
 * unchanged.
 */
export interface Database {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly statistics: DatabaseStatistics;

  /** Builds a select. Awaiting it reads; a prepared one reads when it is executed. */
  readonly select: MySqlRemoteDatabase['select'];
  /** Runs a select that is already text, for `readTogether`. */
  readonly readRows: ReadRows;
  /** Builds an update, which runs only through `write`. */
  readonly update: MySqlRemoteDatabase['update'];
  /** Builds a delete, which runs only through `write`. */
  readonly delete: MySqlRemoteDatabase['delete'];

  /** Inserts one row and returns its auto-increment id (0 if the table has none). */
  insert<Table extends MySqlTable>(table: Table, row: Table['$inferInsert']): Promise<number>;
  /** Inserts any number of rows, all or none. */
  insertMany<Table extends MySqlTable>(table: Table, rows: readonly Table['$inferInsert'][]): Promise<void>;
  /** Inserts one row unless a unique index already holds one of its keys. Returns whether it did. */
  insertOnce<Table extends MySqlTable>(table: Table, row: Table['$inferInsert']): Promise<boolean>;
  /** Runs an update or delete and returns how many rows matched, changed or not. */
  write(statement: WriteStatement): Promise<number>;

  /**
   * Runs the body in one transaction, and retries it a limited number of times after a conflict. The body
   * must therefore be safe to run twice. Inside a transaction it joins that one.
   */
  transaction<Result>(body: (tx: Database) => Promise<Result>): Promise<Result>;

  /**
   * Runs writes that need no common outcome, before another write of the same call. The embedded database commits them at once
   * and flushes them with that other write, because a flush blocks the process. On MySQL each is a separate transaction, because
   * one transaction would hold the locks of shared counters longer. The body returns its refusals: throwing them would undo what
   * it counted.
   */
  together<Result>(body: (tx: Database) => Promise<Result>): Promise<Result>;

  /**
   * Runs the body with a handle that reads the database as it is at one moment, however long that takes and whatever others
   * write meanwhile. The handle writes nothing.
   */
  snapshot<Result>(body: (db: Database) => Promise<Result>): Promise<Result>;

  /** Resolves once the database has answered. */
  ping(): Promise<void>;
  /**
   * Whether a write failed because the disk is full, and no later success has shown that there is space
   * again.
   */
  isFull(): boolean;
  /** As above, but tests an unknown state with a write. Writes nothing if the state is known to be good. */
  hasRoom(): Promise<boolean>;
  /** How busy the connections to a server are; undefined for the embedded database. */
  poolLoad(): PoolLoad | undefined;
  /** The server's version and settings. */
  serverFacts(): Promise<ServerFacts>;
  /** Applies the missing migrations. It can run repeatedly, concurrently, and on a database with data. */
  migrate(): Promise<MigrationReport>;
  /** The names of the missing migrations, oldest first. Uses a separate connection. */
  pendingMigrations(): Promise<string[]>;
  /** Waits for operations in progress, then closes every connection. */
  close(): Promise<void>;
}
