import type { ServerFacts } from '@gatehouse/db';
import { type Finding, finding } from './finding.js';

/**
 * Nodes date tokens and limits, and both nodes and database date leases, so their clocks must not differ by
 * more.
 */
const MOST_SKEW_MS = 2_000;

/**
 * Findings about the database server. `askedMs` and `answeredMs` are our clock before and after the query.
 */
export function serverFindings(
  { dialect, version, variables, nowMs }: ServerFacts,
  { askedMs, answeredMs }: { askedMs: number; answeredMs: number },
): Finding[] {
  if (dialect === 'libsql') return [{ isWell: true, text: `database: embedded, SQLite ${version}` }];
  const isolation = variables.get('transaction_isolation') ?? variables.get('tx_isolation') ?? 'unknown';
  const skewMs = Math.max(askedMs - (nowMs ?? 0), (nowMs ?? 0) - answeredMs, 0);
  const isCluster = variables.get('wsrep_on') === 'ON';
  return [
    finding(
      isSupported(version),
      `database: ${version}`,
      `database: ${version} is too old; MySQL 8.0 or MariaDB 10.6 and later will do`,
    ),
    finding(
      variables.get('sql_mode')?.includes('STRICT_TRANS_TABLES') ?? false,
      'database: refuses values that do not fit (strict SQL mode)',
      'database: our sessions do not get the strict SQL mode; let its user set sql_mode, or set it in the server',
    ),
    finding(
      isolation === 'READ-COMMITTED',
      'database: isolation is READ COMMITTED',
      `database: isolation is ${isolation}; let its user set it to READ COMMITTED, or set it in the server`,
    ),
    finding(
      variables.get('character_set_database') === 'utf8mb4',
      'database: stores every character (utf8mb4)',
      'database: its character set is not utf8mb4; alter database … character set utf8mb4 before migrating',
    ),
    finding(
      isCluster || variables.get('innodb_flush_log_at_trx_commit') === '1',
      'database: keeps what it has acknowledged',
      'database: may lose what it has acknowledged in a power cut; set innodb_flush_log_at_trx_commit = 1',
    ),
    finding(
      variables.get('read_only') !== 'ON',
      'database: can be written to',
      'database: is read-only; point DATABASE_URL to the primary',
    ),
    finding(
      skewMs <= MOST_SKEW_MS,
      'clock: ours and that of the database agree',
      `clock: ours and that of the database differ by ${Math.round(skewMs / 1000)} s; run NTP on both machines`,
    ),
  ];
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (!version.includes('MariaDB')) return major >= 8;
  return major > 10 || (major === 10 && minor >= 6);
}
