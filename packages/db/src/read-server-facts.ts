import type { StatementRunner } from './dialect/driver.js';
import type { ServerFacts } from './server-facts.js';

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
export async function readServerFacts(
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
