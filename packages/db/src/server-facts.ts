import type { Dialect } from './database.js';
import type { StatementRunner } from './dialect/driver.js';

/** What a database server says of itself, in a session of ours. */
export interface ServerFacts {
  readonly dialect: Dialect;
  /** As `10.11.6-MariaDB` or `8.0.36`; of the embedded database, SQLite's. */
  readonly version: string;
  /** Its clock, in epoch milliseconds; the embedded database has ours. */
  readonly nowMs: number | undefined;
  /** Variables of the server by name; none of the embedded database. */
  readonly variables: ReadonlyMap<string, string>;
}

const VARIABLES = [
  'sql_mode',
  'transaction_isolation',
  'tx_isolation',
  'character_set_database',
  'innodb_flush_log_at_trx_commit',
  'read_only',
  'wsrep_on',
];

/** Asks the server; throws as any read does. */
export async function readServerFacts(runner: StatementRunner, dialect: Dialect): Promise<ServerFacts> {
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
