import { getTableName } from 'drizzle-orm';
import type { Database } from '../database.js';

/** More than the rows that a table gets between a backup or an export and the moment it is read again. */
export const SKIPPED_IDS = 1_000_000;

/**
 * Makes every table continue with ids that were never used. Others keep ids of rows that a restore takes back (tokens, partners,
 * payment providers), and these must not become the ids of other rows. On MySQL the user has to be the one who migrates.
 */
export async function skipIds(db: Database): Promise<void> {
  const names = Object.values(db.tables)
    .filter((table) => 'id' in table)
    .map((table) => getTableName(table));
  for (const name of names) await beginAfter(db, name, (await lastIdOf(db, name)) + SKIPPED_IDS);
}

/**
 * Makes an empty table of members continue with ids that are far above one, before the rows up to it are written. On MySQL the
 * user has to be the one who migrates.
 */
export async function skipMemberIds(db: Database, highest: number): Promise<void> {
  await beginAfter(db, getTableName(db.tables.members), highest + SKIPPED_IDS);
}

/** The last id that a table gave, or will not give. */
async function lastIdOf(db: Database, name: string): Promise<number> {
  if (db.dialect === 'libsql') {
    const [[last] = []] = await db.readRows('select seq from sqlite_sequence where name = ?', [name]);
    return Number(last ?? 0);
  }
  // information_schema may answer from a cache.
  const [[, definition] = []] = await db.readRows(`show create table \`${name}\``, []);
  return Number(/ AUTO_INCREMENT=(\d+)/.exec(String(definition))?.[1] ?? 1) - 1;
}

async function beginAfter(db: Database, name: string, last: number): Promise<void> {
  if (db.dialect !== 'libsql') {
    await run(db, `alter table \`${name}\` auto_increment = ${last + 1}`, []);
    return;
  }
  const known = await run(db, 'update sqlite_sequence set seq = ? where name = ?', [last, name]);
  if (known === 0) await run(db, 'insert into sqlite_sequence (name, seq) values (?, ?)', [name, last]);
}

function run(db: Database, sql: string, params: unknown[]): Promise<number> {
  return db.write({ toSQL: () => ({ sql, params }) });
}
