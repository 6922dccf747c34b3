import { randomBytes } from 'node:crypto';
import { eq, getTableColumns } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database, DatabaseStatistics, Dialect, ServerFacts, WriteStatement } from './database.js';
import { DatabaseUnavailableError, DuplicateKeyError } from './database-errors.js';
import type { Driver, StatementRunner } from './dialect/driver.js';
import { createAllowance, retryOnConflict } from './dialect/run-transaction.js';
import { buildInsert, type ReadRows, type StatementBuilder } from './dialect/statement-builder.js';
import { applyMigrations } from './migration/apply-migrations.js';
import { asUnmigrated, listPendingMigrations, readMigrations } from './migration/read-migrations.js';
import type { Tables } from './tables/define-tables.js';

const VARIABLES = [
  'sql_mode',
  'transaction_isolation',
  'tx_isolation',
  'character_set_database',
  'innodb_flush_log_at_trx_commit',
  'read_only',
  'wsrep_on',
];

/** Reads from the server; throws like any read. */
async function readServerFacts(
  runner: StatementRunner,
  dialect: ServerFacts['dialect'],
): Promise<ServerFacts> {
  if (dialect === 'libsql') {
    const [row = []] = await runner.read('select sqlite_version()', []);
    return { dialect, version: String(row[0]), nowMs: undefined, variables: new Map() };
  }
  const [row = []] = await runner.read('select version(), round(unix_timestamp(now(3)) * 1000)', []);
  const names = VARIABLES.map((name) => `'${name}'`).join(', ');
  const rows = await runner.read(`show variables where Variable_name in (${names})`, []);
  return {
    dialect,
    version: String(row[0]),
    nowMs: Number(row[1]),
    variables: new Map(rows.map(([name, value]) => [String(name), String(value)])),
  };
}

/** Remembers whether the database had room for the latest write. */
interface RoomWatch {
  /** A write was refused for lack of room. */
  refused(): void;
  /** A write succeeded. */
  wrote(): void;
  isFull(): boolean;
}

/** On a full disk a write that needs no more space sometimes succeeds, so one success proves little. */
const SETTLED_MS = 10_000;

export function createRoomWatch(monotonicNow: () => number = () => performance.now()): RoomWatch {
  let refusedAtMs: number | undefined;
  return {
    refused() {
      refusedAtMs = monotonicNow();
    },
    wrote() {
      if (refusedAtMs !== undefined && monotonicNow() - refusedAtMs >= SETTLED_MS) refusedAtMs = undefined;
    },
    isFull: () => refusedAtMs !== undefined,
  };
}

const ROWS_PER_INSERT = 500;

const PARAMETERS_PER_INSERT = 30_000;

/** The parts of the handle that depend on the dialect. */
export interface DatabaseParts {
  dialect: Dialect;
  tables: Tables;
  driver: Driver;
  /** Limits of a statement and of a transaction, including waits and retries. */
  budget: { readonly statementMs: number; readonly transactionMs: number };
  builder: (read: ReadRows) => StatementBuilder;
}

/** Makes the handle of a database from the parts of its dialect. */
export function createDatabase(parts: DatabaseParts): Database {
  const { driver, dialect, budget } = parts;
  const allowance = createAllowance(budget.statementMs);
  const statistics: DatabaseStatistics = { reads: 0, writes: 0, unavailable: new Map() };
  const room = createRoomWatch();
  const failed = (thrown: unknown): never => {
    const error = asUnmigrated(thrown);
    if (error instanceof DatabaseUnavailableError) {
      const count = (statistics.unavailable.get(error.reason)?.count ?? 0) + 1;
      statistics.unavailable.set(error.reason, { count, code: error.code });
      if (error.reason === 'full') room.refused();
    }
    throw error;
  };
  const runner: StatementRunner = {
    read: (sql, params) =>
      retryOnConflict(
        (deadlineMs) => driver.read(sql, params, deadlineMs),
        budget.statementMs,
        allowance,
      ).catch(failed),
    async write(sql, params) {
      const attempt = (deadlineMs: number) => driver.write(sql, params, deadlineMs);
      const result = await retryOnConflict(attempt, budget.statementMs, allowance).catch(failed);
      room.wrote();
      return result;
    },
  };
  const transact = async <Result>(
    body: (tx: Database) => Promise<Result>,
    isFlushed: boolean,
  ): Promise<Result> => {
    const writesBefore = statistics.writes;
    const result = await retryOnConflict(
      (deadlineMs) =>
        driver.transaction(
          (connection) => body(transactionHandle(database, parts, connection, statistics)),
          deadlineMs,
          isFlushed,
        ),
      budget.transactionMs,
      allowance,
    ).catch(failed);
    if (statistics.writes > writesBefore) room.wrote();
    return result;
  };
  const database: Database = {
    ...statementMethods(parts, runner, statistics),
    insertMany: (table, rows) => database.transaction((tx) => tx.insertMany(table, rows)),
    transaction: (body) => transact(body, true),
    together: (body) => (dialect === 'libsql' ? transact(body, false) : body(database)),
    snapshot: (body) =>
      driver
        .snapshot(({ read }) =>
          body(transactionHandle(database, parts, { read, write: refuseWrite }, statistics)),
        )
        .catch(failed),
    isFull: room.isFull,
    async hasRoom() {
      if (!room.isFull()) return true;
      await writeForRoom(database).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      });
      return !room.isFull();
    },
    ping: async () => {
      await driver.read('select 1', []);
    },
    poolLoad: driver.poolLoad ?? (() => undefined),
    serverFacts: () => readServerFacts(driver, dialect),
    migrate: async () => applyMigrations(driver, await readMigrations(dialect)),
    pendingMigrations: () => driver.onNewConnection((anew) => listPendingMigrations(anew, dialect)),
    close: () => driver.close(),
  };
  return database;
}

/**
 * A row of the greatest length, because a short one may still fit. It is removed at once, or later with the
 * expired limits.
 */
async function writeForRoom(db: Database): Promise<void> {
  const { limits } = db.tables;
  const key = `room:${randomBytes(120).toString('hex')}`;
  await db.insert(limits, { key, points: 0, expiresAtMs: 0 });
  await db.write(db.delete(limits).where(eq(limits.key, key)));
}

async function refuseWrite(): Promise<never> {
  throw new Error('a snapshot is only read');
}

function transactionHandle(
  outer: Database,
  parts: DatabaseParts,
  runner: StatementRunner,
  statistics: DatabaseStatistics,
): Database {
  const tx: Database = {
    ...outer,
    ...statementMethods(parts, runner, statistics),
    transaction: (body) => body(tx),
    together: (body) => body(tx),
  };
  return tx;
}

function statementMethods(
  { dialect, tables, builder }: DatabaseParts,
  runner: StatementRunner,
  statistics: DatabaseStatistics,
) {
  const readRows: ReadRows = (sql, params) => {
    statistics.reads += 1;
    return runner.read(sql, params);
  };
  const builds = builder(readRows);
  const write = ({ sql, params }: { sql: string; params: unknown[] }) => {
    statistics.writes += 1;
    return runner.write(sql, params);
  };

  return {
    dialect,
    tables,
    statistics,
    select: builds.select.bind(builds),
    readRows,
    update: builds.update.bind(builds),
    delete: builds.delete.bind(builds),
    insert: async (table: MySqlTable, row: MySqlTable['$inferInsert']) =>
      (await write(buildInsert(builds, table, row))).insertId,
    insertMany: async (table: MySqlTable, rows: readonly MySqlTable['$inferInsert'][]) => {
      for (const chunk of chunksOf(table, rows)) await write(builds.insert(table).values(chunk).toSQL());
    },
    insertOnce: async (table: MySqlTable, row: MySqlTable['$inferInsert']) => {
      try {
        await write(buildInsert(builds, table, row));
        return true;
      } catch (error) {
        if (error instanceof DuplicateKeyError) return false;
        throw error;
      }
    },
    write: async (statement: WriteStatement) => (await write(statement.toSQL())).rows,
  };
}

function chunksOf<Row>(table: MySqlTable, rows: readonly Row[]): Row[][] {
  const columns = Object.keys(getTableColumns(table)).length;
  const size = Math.max(1, Math.min(ROWS_PER_INSERT, Math.floor(PARAMETERS_PER_INSERT / columns)));
  const chunks: Row[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}
