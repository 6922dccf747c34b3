import { availableParallelism } from 'node:os';
import { type Config, ConfigError, configShape, readConfig } from '@gatehouse/features/core/config';
import { socialConfigShape } from '@gatehouse/features/core/social-providers/social-providers';
import { hashesAtOnce } from '@gatehouse/features/deployment/hashes-at-once';
import { staffPasskeyProblem } from '@gatehouse/features/deployment/staff-passkey-problem';
import { nearestName } from '../nearest-name.js';
import { operatorConfigShape } from '../with-database.js';
import { type Finding, finding } from './finding.js';

type Configuration = Omit<Config, 'PORT'>;

type Environment = Readonly<Record<string, string | undefined>>;

const DAY_MS = 86_400_000;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The services whose variables the doctor checks. */
type ServiceName = 'api-main' | 'api-admin';

/** Findings from the variables alone, without any connection. Values are never printed. */
export function configurationFindings(env: Environment, service: ServiceName, nowMs: number): Finding[] {
  try {
    const config = readConfig(configShape, env);
    return [
      { isWell: true, text: 'configuration: every variable is valid' },
      ...(service === 'api-admin' ? staffPasskeyFindings(config) : []),
      ...secretFindings(config, nowMs),
      ...capacityFindings(config),
      logFinding(config),
      ...(config.NODE_ENV === 'production' ? productionFindings(config) : []),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({ isWell: false, text: `configuration: ${problem}` }));
  }
}

/** BASE_URL is used if MAIN_URL is unset, which is right only for the main service. */
export function mainUrlFindings(env: Environment, service: ServiceName): Finding[] {
  if (env['MAIN_URL']) return [];
  return [
    finding(
      service === 'api-main',
      'addresses: MAIN_URL is BASE_URL, as for api-main; api-admin needs its own (--service api-admin, with its variables)',
      'addresses: MAIN_URL is missing; social providers would be sent back to the admin service: set it to the address of api-main',
    ),
  ];
}

/** api-admin ends at its start for the same reason. */
function staffPasskeyFindings(config: Configuration): Finding[] {
  const problem = staffPasskeyProblem(config);
  return [
    finding(
      problem === undefined,
      'staff: administrators can add the passkey that their level asks for',
      `configuration: ${problem}`,
    ),
  ];
}

function secretFindings(config: Configuration, nowMs: number): Finding[] {
  const { JWT_SECRET_KEY, JWT_SECRET_KEY_PREVIOUS, JWT_SECRET_KEY_PREVIOUS_UNTIL } = config;
  const findings: Finding[] = [{ isWell: true, text: 'secrets: each has its own value' }];
  if (JWT_SECRET_KEY_PREVIOUS !== undefined && JWT_SECRET_KEY_PREVIOUS_UNTIL !== undefined) {
    const daysLeft = Math.ceil((JWT_SECRET_KEY_PREVIOUS_UNTIL - nowMs) / DAY_MS);
    findings.push(
      finding(
        daysLeft > 0,
        `secrets: the previous key counts for ${daysLeft} more day(s)`,
        'secrets: the date of JWT_SECRET_KEY_PREVIOUS has passed; remove it and JWT_SECRET_KEY_PREVIOUS_UNTIL',
      ),
      finding(
        JWT_SECRET_KEY_PREVIOUS !== JWT_SECRET_KEY,
        'secrets: the previous key is another than the current one',
        'secrets: JWT_SECRET_KEY_PREVIOUS is the current key; nothing was rotated: make a new JWT_SECRET_KEY',
      ),
    );
  }
  if (config.DATA_ENCRYPTION_KEY_PREVIOUS.includes(config.DATA_ENCRYPTION_KEY)) {
    findings.push({
      isWell: false,
      text: 'secrets: DATA_ENCRYPTION_KEY is among DATA_ENCRYPTION_KEY_PREVIOUS; remove it there',
    });
  }
  return findings;
}

function capacityFindings(config: Configuration): Finding[] {
  const threads = config.UV_THREADPOOL_SIZE;
  const hashes = hashesAtOnce(config);
  const cores = availableParallelism();
  const { ANALYSIS_TIMEOUT_SECONDS, HANDLER_TIMEOUT_MS } = config;
  return [
    finding(
      hashes < threads,
      hashes < cores && config.PASSWORD_HASH_CONCURRENCY === undefined
        ? `capacity: ${hashes} of ${cores} cores hash passwords; with UV_THREADPOOL_SIZE at ${cores + 2} all do`
        : 'capacity: hashing leaves threads to other work',
      `capacity: ${hashes} hashes at once leave none of ${threads} threads; set UV_THREADPOOL_SIZE to ${hashes + 2}`,
    ),
    finding(
      HANDLER_TIMEOUT_MS > ANALYSIS_TIMEOUT_SECONDS * 1000,
      'capacity: an analysis may end before its request does',
      'capacity: HANDLER_TIMEOUT_MS ends a request before its analysis; raise it above ANALYSIS_TIMEOUT_SECONDS',
    ),
  ];
}

/** What a log of each level leaves out. The security log is complete at all of them. */
const LEFT_OUT: Readonly<Record<Configuration['LOG_LEVEL'], string | undefined>> = {
  debug: undefined,
  info: undefined,
  warn: 'the line of each request, and when a service starts and stops',
  error: 'the line of each request, starts and stops, and why a node is not ready or mails wait',
  silent: 'everything but security events, faults and commits of unknown outcome included',
};

function logFinding({ LOG_LEVEL }: Configuration): Finding {
  const leftOut = LEFT_OUT[LOG_LEVEL];
  return finding(
    LOG_LEVEL !== 'silent',
    leftOut === undefined
      ? 'log: has requests, notices, warnings, failures and security events'
      : `log: LOG_LEVEL=${LOG_LEVEL} leaves out ${leftOut}; security events are written all the same`,
    `log: LOG_LEVEL=${LOG_LEVEL} leaves out ${leftOut}; use error, warn or info`,
  );
}

/** The services themselves do not speak TLS. */
function isBehindProxy({ BASE_URL }: Configuration): boolean {
  return BASE_URL.startsWith('https:');
}

function productionFindings(config: Configuration): Finding[] {
  const inTheClear = (['APP_URL', 'BASE_URL'] as const).filter((name) => {
    const { protocol, hostname } = new URL(config[name]);
    return protocol === 'http:' && !LOOPBACK.has(hostname);
  });
  return [
    finding(
      inTheClear.length === 0,
      'addresses: tokens travel encrypted',
      `addresses: ${inTheClear.join(' and ')} begin(s) with http://; put TLS in front and write https://`,
    ),
    finding(
      config.TRUSTED_PROXIES.length > 0 || !isBehindProxy(config),
      'addresses: callers have their own',
      'addresses: BASE_URL begins with https://, so a proxy with TLS stands in front, and TRUSTED_PROXIES is empty: all callers have its address and share its limits; name it there',
    ),
    finding(
      !/^[rs]k_test_/.test(config.STRIPE_API_KEY ?? '') && !config.PADDLE_API_KEY?.includes('_sdbx_'),
      'payments: no key of a sandbox',
      'payments: STRIPE_API_KEY or PADDLE_API_KEY is of a sandbox, whose subscriptions /subscriptionList shows; use the live key',
    ),
    {
      isWell: true,
      text:
        config.RESEND_API_KEY !== undefined || config.SMTP_URL !== undefined
          ? 'mail: has a way out'
          : 'mail: reaches nobody and stays in MAIL_OUTBOX_DIRECTORY, as MAIL_OUTBOX_ONLY says',
    },
  ];
}

const KNOWN = [
  ...Object.keys(configShape),
  ...Object.keys(operatorConfigShape),
  'PORT',
  'ADMIN_PORT',
  'SIMULATOR_PORT',
  'PARTNER_PORT',
  'EVENTS_PORT',
];

const isKnown = new Set(KNOWN);

/**
 * Variables whose incomplete names are reported as mistakes. Those of providers are not among them, because names
 * such as GITHUB_TOKEN belong to other programs.
 */
const FINISHED = KNOWN.filter((name) => !(name in socialConfigShape));

/** Names with one of these prefixes are meant for us; no other program on a server reads them. */
const FAMILIES = new Set(['APPTYPE', 'CORS', 'JWT', 'MAIL', 'PADDLE', 'RESEND', 'SMTP', 'STRIPE']);

const SHORTEST = 6;

/** Unused variables that look meant for us. Their values are never printed. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return Object.keys(env)
    .filter((name) => !isKnown.has(name) && name.length >= SHORTEST)
    .flatMap((name) => {
      const meant =
        nearestName(name, KNOWN) ??
        FINISHED.find((each) => each.startsWith(`${name}_`) && name.includes('_'));
      if (meant !== undefined) return [`${name} is read by nobody; did you mean ${meant}?`];
      const isOurs = name.includes('_') && FAMILIES.has(name.split('_', 1)[0] ?? '');
      return isOurs ? [`${name} is read by nobody; docs/configuration.md lists every variable`] : [];
    })
    .map((text) => ({ isWell: false, text: `variables: ${text}` }));
}
