import { getTableName } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** More than the rows that a table gets between a backup and its restore. */
export const SKIPPED_IDS = 1_000_000;

/**
 * Lets every table go on with ids that were never used. Others keep ids of rows that a restore takes back (tokens, partners,
 * payment providers), and these must not become those of somebody else. On MySQL the user has to be the one who migrates.
 */
export async function skipIds(db: Database): Promise<void> {
  const names = Object.values(db.tables)
    .filter((table) => 'id' in table)
    .map((table) => getTableName(table));
  for (const name of names) await (db.dialect === 'libsql' ? skipInFile(db, name) : skipOnServer(db, name));
}

async function skipInFile(db: Database, name: string): Promise<void> {
  const known = await run(db, 'update sqlite_sequence set seq = seq + ? where name = ?', [SKIPPED_IDS, name]);
  if (known === 0)
    await run(db, 'insert into sqlite_sequence (name, seq) values (?, ?)', [name, SKIPPED_IDS]);
}

async function skipOnServer(db: Database, name: string): Promise<void> {
  // information_schema may answer from a cache.
  const [[, definition] = []] = await db.readRows(`show create table \`${name}\``, []);
  const next = Number(/ AUTO_INCREMENT=(\d+)/.exec(String(definition))?.[1] ?? 1);
  await run(db, `alter table \`${name}\` auto_increment = ${next + SKIPPED_IDS}`, []);
}

function run(db: Database, sql: string, params: unknown[]): Promise<number> {
  return db.write({ toSQL: () => ({ sql, params }) });
}
