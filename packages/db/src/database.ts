import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { MySqlRemoteDatabase } from 'drizzle-orm/mysql-proxy';
import type { UnavailableReason } from './database-unavailable-error.js';
import type { MigrationReport } from './migration/migration-report.js';
import type { ServerFacts } from './server-facts.js';
import type { Tables } from './tables/define-tables.js';

/** Which of the two databases answers. */
export type Dialect = 'libsql' | 'mysql';

/** A built update or delete, not run yet. */
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
 * One open database, or one transaction in it.
 *
 * Errors: `DuplicateKeyError` where a unique index refuses a row, `DatabaseUnavailableError` where the database is
 * away, hung, overloaded or locked for too long, `CommitUnknownError`, which is one of these, where what was written may or
 * may not be kept; any other error of the driver passes as it is.
 */
export interface Database {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly statistics: DatabaseStatistics;

  /** Builds a select; awaiting it, or executing it once prepared, reads. */
  readonly select: MySqlRemoteDatabase['select'];
  /** Builds an update, which runs only through `write`. */
  readonly update: MySqlRemoteDatabase['update'];
  /** Builds a delete, which runs only through `write`. */
  readonly delete: MySqlRemoteDatabase['delete'];

  /** Inserts one row and returns its auto-increment id (0 where the table has none). */
  insert<Table extends MySqlTable>(table: Table, row: Table['$inferInsert']): Promise<number>;
  /** Inserts any number of rows, all or none. */
  insertMany<Table extends MySqlTable>(table: Table, rows: readonly Table['$inferInsert'][]): Promise<void>;
  /** Inserts one row unless a unique index already holds one of its keys. Returns whether it did. */
  insertOnce<Table extends MySqlTable>(table: Table, row: Table['$inferInsert']): Promise<boolean>;
  /** Runs an update or delete and returns how many rows matched, changed or not. */
  write(statement: WriteStatement): Promise<number>;

  /**
   * Runs the body in one transaction, and retries it a bounded number of times after a conflict. The body must
   * therefore be safe to run twice. Inside a transaction it joins that one.
   */
  transaction<Result>(body: (tx: Database) => Promise<Result>): Promise<Result>;

  /** Resolves once the database has answered. */
  ping(): Promise<void>;
  /** Whether a write failed because the disk is full, and no later success has shown that there is room again. */
  isFull(): boolean;
  /** As above, but tests an unknown state with a write of its own. Writes nothing while all is well. */
  hasRoom(): Promise<boolean>;
  /** What the server says of itself. */
  serverFacts(): Promise<ServerFacts>;
  /** Applies the migrations that are missing; safe to run twice, at once, and on a filled database. */
  migrate(): Promise<MigrationReport>;
  /** The names of the missing migrations, oldest first. Uses a connection of its own. */
  pendingMigrations(): Promise<string[]>;
  /** Waits for operations in progress, then closes every connection. */
  close(): Promise<void>;
}
