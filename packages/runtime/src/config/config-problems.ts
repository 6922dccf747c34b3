import { parseUrl } from '@gatehouse/auth-core';
import { isCallableUrl } from '../network/guarded-client.js';
import { list } from './config-values.js';
import { relyingPartyProblems } from './relying-party.js';
import { equalSecrets, isPublishedSecret } from './secrets.js';

type Environment = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /change.?me|placeholder|your[-_ ]|example|keyboard cat|secret[-_ ]?key|^(.)\1+$/i;

const WEBHOOK_SECRETS = [
  'STRIPE_WEBHOOK_SECRET',
  'PADDLE_SANDBOX_WEBHOOK_SECRET',
  'PADDLE_PRODUCTION_WEBHOOK_SECRET',
  'PADDLE_ADMIN_WEBHOOK_SECRET',
] as const;

const DAY_MS = 86_400_000;
/** How long staff may work without the factors that their level requires. */
const MAX_DEFERRAL_DAYS = 30;

/** Variables with one secret, or several separated by commas. */
const SECRETS = /(?:_SECRET|_KEY|_KEY_PREVIOUS|_TOKEN)$/;
const NO_SECRETS = new Set(['TOKEN_HEADER_KEY']);

/**
 * Providers make these of visible ASCII. Another character, such as one that a page inserted, fails only when a header is sent.
 */
const PROVIDER_KEYS = /_(?:API_KEY|CLIENT_ID|CLIENT_SECRET|WEBHOOK_SECRET)$/;

/** Problems between these variables, or problems only in production; each as `NAME: problem`. */
export function configProblems(
  env: Environment,
  names: ReadonlySet<string>,
  nowMs: number = Date.now(),
): string[] {
  const problems: string[] = [];
  if (env['JWT_SECRET_KEY_PREVIOUS'] && !env['JWT_SECRET_KEY_PREVIOUS_UNTIL']) {
    problems.push('JWT_SECRET_KEY_PREVIOUS_UNTIL: is missing; a previous key needs the date it ends');
  }
  problems.push(...legacySignInProblems(env));
  const until = Date.parse(env['FACTORS_UNTIL'] ?? '');
  if (until > nowMs + MAX_DEFERRAL_DAYS * DAY_MS)
    problems.push(`FACTORS_UNTIL: is more than ${MAX_DEFERRAL_DAYS} days ahead`);
  if ((env['NODE_ENV'] ?? 'production') === 'production') {
    if (names.has('PORT') && env['MIGRATION_DATABASE_URL'])
      problems.push(
        'MIGRATION_DATABASE_URL: is for the command line alone; take it from the environment of the service',
      );
    problems.push(...secretProblems(env, names));
    if (names.has('MAIL_OUTBOX_ONLY') && !env['RESEND_API_KEY'] && !env['SMTP_URL'] && !keepsMails(env)) {
      problems.push(
        'SMTP_URL: is missing, and so is RESEND_API_KEY: set one of them, or MAIL_OUTBOX_ONLY=true, which leaves mails, with links that reset passwords, in files on this machine',
      );
    }
  }
  problems.push(...unseenProblems(env, names));
  const roles = [env['DESIGNER'] ?? '4', env['USER_MEMBER'] ?? '5', env['ACCOUNT_MANAGER'] ?? '6'].map(
    Number,
  );
  if (new Set(roles).size !== 3 || roles.some((value) => [0, 1, 2, 3, 11].includes(value))) {
    problems.push('DESIGNER, USER_MEMBER, ACCOUNT_MANAGER: must be distinct and outside 0, 1, 2, 3 and 11');
  }
  if (names.has('APP_URL')) problems.push(...portalPathProblem(env));
  if (names.has('PASSKEY_RP_ID')) problems.push(...relyingPartyProblems(env));
  return problems;
}

const LEGACY_SIGN_IN = ['LEGACY_SIGN_IN_URL', 'LEGACY_SIGN_IN_SECRET', 'LEGACY_SIGN_IN_UNTIL'] as const;

/** The system that knows the passwords of some members needs all three variables, or none. */
function legacySignInProblems(env: Environment): string[] {
  const given = LEGACY_SIGN_IN.filter((name) => env[name]);
  if (given.length === 0) return [];
  const missing = LEGACY_SIGN_IN.filter((name) => !env[name]).map(
    (name) => `${name}: is missing; ${given.join(' and ')} need(s) it`,
  );
  const url = parseUrl(env['LEGACY_SIGN_IN_URL'] ?? '');
  const isWrong =
    (env['NODE_ENV'] ?? 'production') === 'production' &&
    url !== undefined &&
    !isCallableUrl(url.origin, true);
  return isWrong
    ? [...missing, 'LEGACY_SIGN_IN_URL: must be https in production, at port 443 or above 1023']
    : missing;
}

/** The pages that mails link to are at the root of the service, and lead into the portal themselves. */
function portalPathProblem({ APP_URL: app = '', BASE_URL: base = '' }: Environment): string[] {
  const [page, service] = [parseUrl(app), parseUrl(base)];
  if (page === undefined || service === undefined) return [];
  const { origin, pathname } = page;
  if (origin !== service.origin || !/^\/(?:portal|console)(?:\/|$)/i.test(pathname)) return [];
  return ['APP_URL: must have no path where it is the service itself: its pages lead to the portal'];
}

/** No variable has several lines; a file or a shell adds an invisible line end, and then a provider refuses the key. */
function unseenProblems(env: Environment, names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => {
    const value = env[name] ?? '';
    if (/\p{Cc}/u.test(value))
      return [`${name}: has a line end or another control character, such as the CR of a Windows file`];
    if (SECRETS.test(name) && /^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(value))
      return [`${name}: begins or ends with a blank`];
    if (PROVIDER_KEYS.test(name) && /[^\x20-\x7e]|^["']|["']$/.test(value))
      return [`${name}: is in quotes, or has a character that no key has; copy it again`];
    return [];
  });
}

function secretProblems(env: Environment, names: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  for (const name of ['JWT_SECRET_KEY', 'SESSION_SECRET', 'DATA_ENCRYPTION_KEY', 'LEGACY_SIGN_IN_SECRET']) {
    if (PLACEHOLDER.test(env[name] ?? ''))
      problems.push(
        `${name}: looks like a placeholder; use openssl rand -base64 ${name.startsWith('DATA') ? 32 : 48}`,
      );
  }
  for (const name of WEBHOOK_SECRETS) {
    const secrets = list.parse(env[name]);
    if (secrets.some((value) => Buffer.byteLength(value) < 16 || PLACEHOLDER.test(value)))
      problems.push(`${name}: must hold the secret that the provider shows for this endpoint`);
  }
  const held = [...names]
    .filter((name) => SECRETS.test(name) && !NO_SECRETS.has(name))
    .map((name) => ({ name, values: list.parse(env[name]) }));
  for (const { name, values } of held) {
    if (values.some(isPublishedSecret))
      problems.push(`${name}: is published with this software; use a value of your own`);
  }
  for (const [name, other] of equalSecrets(held)) {
    problems.push(`${other}: and ${name} are the same; give each secret a value of its own`);
  }
  return problems;
}

function keepsMails(env: Environment): boolean {
  return env['MAIL_OUTBOX_ONLY'] === 'true';
}
