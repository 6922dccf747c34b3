import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, RowDataPacket } from 'mysql2/promise';

/** Holds the migrations that were applied. */
export const PROGRESS = 'gatehouse_migrations';
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
export async function emptySchema(
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
