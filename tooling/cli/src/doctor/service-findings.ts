import { BlockList, isIP } from 'node:net';
import type { ServerFacts } from '@gatehouse/db/database';
import { listUnreportedRenewals } from '@gatehouse/db/queries/billing-subscriptions';
import type { NewestSignIn } from '@gatehouse/db/queries/list-sessions';
import { isUnanswered } from '@gatehouse/features/billing/ask-provider';
import { type AskingServices, compareWithProvider } from '@gatehouse/features/billing/compare-with-provider';
import { BILLING_PROVIDERS } from '@gatehouse/features/core/billing/billing-event';
import { type Finding, finding } from './finding.js';

/**
 * Nodes date tokens and limits, and both nodes and database date leases, so their clocks must not differ by
 * more.
 */
const MAX_SKEW_MS = 2_000;

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
      skewMs <= MAX_SKEW_MS,
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

/** How long after the end of a period an event about it should have arrived. */
const LATE_MS = 48 * 3_600_000;

/** The maximum number of subscriptions that are checked at providers. */
const MAX_ASKED = 100;

/** Findings about subscriptions whose period is over without an event; their providers are asked. */
export async function paymentFindings(services: AskingServices): Promise<Finding[]> {
  const nowMs = services.now();
  const late = await listUnreportedRenewals(services.db, {
    providers: BILLING_PROVIDERS,
    endedBeforeMs: nowMs - LATE_MS,
    askedBeforeMs: nowMs + 1,
    limit: MAX_ASKED,
  });
  const askable = new Set(
    BILLING_PROVIDERS.filter((provider) => services.billing.apis[provider] !== undefined),
  );
  let different = 0;
  let unknown = 0;
  for (const subscription of late) {
    const provider = [...askable].find((each) => each === subscription.provider);
    if (provider === undefined) {
      unknown += 1;
      continue;
    }
    try {
      const { isDifferent } = await compareWithProvider(services, { ...subscription, provider });
      if (isDifferent) different += 1;
    } catch (error) {
      unknown += 1;
      if (isUnanswered(error)) askable.delete(provider);
    }
  }
  const most = late.length === MAX_ASKED ? ' or more' : '';
  return [
    finding(
      different === 0,
      'payments: no subscription is different at its provider',
      `payments: ${different}${most} subscriptions are different at their provider; run gatehouse billing reconcile`,
    ),
    finding(
      unknown === 0,
      'payments: every subscription whose period is over could be asked about',
      `payments: ${unknown}${most} subscriptions have a period that is over, and their provider could not be asked; set STRIPE_API_KEY or PADDLE_API_KEY, or look whether it answers`,
    ),
  ];
}

/** Fewer members may well share an office. */
const LEAST_MEMBERS = 10;

/** Addresses that callers from the internet do not have (RFC 1918, 4193, 4291, 6598). */
const PRIVATE = new BlockList();

PRIVATE.addSubnet('10.0.0.0', 8);

PRIVATE.addSubnet('100.64.0.0', 10);

PRIVATE.addSubnet('127.0.0.0', 8);

PRIVATE.addSubnet('172.16.0.0', 12);

PRIVATE.addSubnet('192.168.0.0', 16);

PRIVATE.addAddress('::1', 'ipv6');

PRIVATE.addSubnet('fc00::', 7, 'ipv6');

PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Whether the newest sign-ins of several members came from one address, as all do behind a proxy that is not trusted. */
export function callerFindings(signIns: readonly NewestSignIn[]): Finding[] {
  const members = new Set(signIns.map(({ memberId }) => memberId)).size;
  const addresses = new Set(signIns.map(({ address }) => address));
  if (members < LEAST_MEMBERS) return [];
  const [address = ''] = addresses;
  const shared = `callers: the last ${signIns.length} sign-ins, of ${members} members, all have the address ${address}`;
  const advice =
    'if that is a proxy, name it in TRUSTED_PROXIES, or let the balancer behind it trust it (docs/operations.md, The balancer)';
  return [
    finding(
      addresses.size > 1 || !isPrivate(address),
      addresses.size > 1 ? 'callers: members sign in from addresses of their own' : `${shared}; ${advice}`,
      `${shared}, and share its limits; ${advice}`,
    ),
  ];
}

function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
