import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import type { OpenOptions } from '@gatehouse/db/open-options';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { createServingUser } from './create-serving-user.js';
import { createTestFile } from './test-files.js';
import { askForNames, TEST_PREFIX, urlOfSchema, withServer } from './test-server.js';

/** Holds the migrations that were applied. */
const PROGRESS = 'gatehouse_migrations';

const CLOSING_MS = 500;

/** From this id on, truncating a table is faster than deleting its rows. */
const MANY_ROWS = 2_000;

/** MySQL remembers the next id of a table for a day. MariaDB does not read comments of MySQL's versions from 5.7 on. */
const READ_FIGURES_NEWLY = 'set @none = 0 /*!80000 , session information_schema_stats_expiry = 0 */';

let progressOfTemplate: Promise<unknown> | undefined;

/**
 * Empties a schema, so that the next test finds it as if it were new: no rows, ids from 1. The answer is false, and
 * the schema must be dropped, if it has other tables or migrations than the template, or something is still
 * connected to it. A test that adds a trigger, index or column to a table of ours must remove it.
 */
async function emptySchema(
  server: Connection,
  { schema, template, names }: { schema: string; template: string; names: readonly string[] },
): Promise<boolean> {
  if (!(await isLeft(server, schema))) return false;
  progressOfTemplate ??= checkProgress(server, template);
  if ((await checkProgress(server, schema)) !== (await progressOfTemplate)) return false;
  await server.query(READ_FIGURES_NEWLY);
  const tables = await ask<{ name: string; nextId: number | null }>(
    server,
    'select table_name name, auto_increment nextId from information_schema.tables where table_schema = ? and table_name <> ?',
    [schema, PROGRESS],
  );
  const found = tables.map(({ name }) => name).toSorted();
  if (found.join() !== names.join()) return false;
  const statements = tables.flatMap(({ name, nextId }) => {
    const table = [schema, name];
    if (nextId !== null && nextId > MANY_ROWS) return server.format('truncate table ??.??', table);
    const emptied = server.format('delete from ??.??', table);
    if (nextId === null || nextId === 1) return emptied;
    return [emptied, server.format('alter table ??.?? auto_increment = 1', table)];
  });
  try {
    await server.query(['set session innodb_lock_wait_timeout = 1', ...statements].join(';\n'));
    return true;
  } catch {
    // A transaction that nobody ended holds rows.
    return false;
  }
}

/** Waits until nothing is connected to the schema. */
async function isLeft(server: Connection, schema: string): Promise<boolean> {
  const untilMs = performance.now() + CLOSING_MS;
  for (;;) {
    const sessions = await ask<{ db: string | null }>(server, 'show processlist', []);
    if (!sessions.some(({ db }) => db === schema)) return true;
    if (performance.now() > untilMs) return false;
    await pause(5);
  }
}

async function checkProgress(server: Connection, schema: string): Promise<unknown> {
  const [progress] = await ask<{ Checksum: unknown }>(server, 'checksum table ??.??', [schema, PROGRESS]);
  return progress?.Checksum;
}

async function ask<Row>(server: Connection, sql: string, values: readonly string[]): Promise<Row[]> {
  const [rows] = await server.query<(Row & RowDataPacket)[]>(sql, [...values]);
  return rows;
}

const TEMPLATE = `${TEST_PREFIX}template`;

/** The names of the template's tables, in their order. */
let tables: Promise<string[]> | undefined;

/** Emptied schemas of tests that have ended: the next test takes one, because making one takes ten times as long. */
const spare: string[] = [];

/** Provides an empty, migrated schema on the server of TEST_MYSQL_URL. */
async function createTestSchema(): Promise<AsyncDisposable & { readonly url: string }> {
  const schema = spare.pop() ?? (await makeSchema());
  const owner = urlOfSchema(schema);
  const user = process.env['TEST_MYSQL_RIGHTS'] === 'serving' ? await createServingUser(owner) : undefined;
  return {
    url: user?.url ?? owner,
    async [Symbol.asyncDispose]() {
      await user?.[Symbol.asyncDispose]();
      await withServer(async (server) => {
        if (tables && (await emptySchema(server, { schema, template: TEMPLATE, names: await tables })))
          spare.push(schema);
        else await server.query('drop database ??', [schema]);
      });
    },
  };
}

async function makeSchema(): Promise<string> {
  const schema = `${TEST_PREFIX}${randomBytes(8).toString('hex')}`;
  await withServer(async (server) => {
    tables ??= migrateTemplate(server);
    const copies = [...(await tables), PROGRESS].map((table) =>
      server.format('create table ??.?? like ??.??', [schema, table, TEMPLATE, table]),
    );
    const progress = server.format('insert into ??.?? select * from ??.??', [
      schema,
      PROGRESS,
      TEMPLATE,
      PROGRESS,
    ]);
    await server.query([server.format('create database ??', [schema]), ...copies, progress].join(';\n'));
  });
  return schema;
}

/** One migrated schema per run, copied for tests. Returns the names of its tables, apart from the migrations' own. */
async function migrateTemplate(server: Connection): Promise<string[]> {
  await server.query('create database if not exists ??', [TEMPLATE]);
  const database = await openDatabase(urlOfSchema(TEMPLATE));
  await database.migrate();
  await database.close();
  const names = await askForNames(server, 'show tables in ??', [TEMPLATE]);
  return names.filter((name) => name !== PROGRESS).toSorted();
}

/** The database of a test. */
export type TestDialect = Database['dialect'];

/** An empty, migrated database that belongs to one test. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/**
 * Creates a migrated database for one test; `await using` removes it.
 *
 * @throws Error for MySQL without a server in TEST_MYSQL_URL
 */
export async function createTestDatabase(
  dialect: TestDialect,
  options: OpenOptions = {},
): Promise<TestDatabase> {
  const place = await (dialect === 'libsql' ? createTestFile() : createTestSchema());
  const database = await openDatabase(place.url, options);
  return {
    url: place.url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
