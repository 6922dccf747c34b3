import { z } from 'zod';
import { createAddressReader } from './client-address.js';
import { socialConfigShape } from './social/social-config.js';

/** Raised when the environment does not describe a service that may start; names every problem, no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

const PLACEHOLDER = /change.?me|placeholder|your[-_ ]|example|keyboard cat|secret[-_ ]?key|^(.)\1+$/i;

const secret = (minBytes: number) =>
  z
    .string({ error: 'is missing' })
    .refine((value) => Buffer.byteLength(value) >= minBytes, `must have at least ${minBytes} bytes`);

const port = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535);

function isAddressReadable(proxies: readonly string[]): boolean {
  try {
    createAddressReader(proxies);
    return true;
  } catch {
    return false;
  }
}

const milliseconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const url = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => (input === undefined ? 'is missing' : 'must be an http(s) URL'),
  })
  .transform((value) => value.replace(/\/+$/, ''));

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

const role = z.coerce.number({ error: 'must be a role number' }).int().min(0);

const dataKey = z
  .string({ error: 'is missing' })
  .refine(
    (value) => Buffer.from(value, 'base64').length === 32,
    'must be 32 bytes in base64; use `openssl rand -base64 32`',
  );

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };

/** A life such as `7d`, `12h`, `3600` (seconds) or `3600s`, as jsonwebtoken's `expiresIn` reads the common ones. */
const duration = z.string().transform((value, context) => {
  const match = /^\s*(\d{1,9})\s*(s|m|h|d|w|y)?\s*$/i.exec(value);
  const seconds = match ? Number(match[1]) * (UNITS[(match[2] ?? 's').toLowerCase()] ?? 1) : 0;
  if (seconds < 60 || seconds > 366 * 86_400) {
    context.addIssue({ code: 'custom', message: 'must be a life between 60s and 1y, such as 7d' });
    return z.NEVER;
  }
  return seconds;
});

const apptypeMap = z
  .string()
  .default('')
  .transform((value, context) => {
    const map = new Map<string, 'web' | 'mobile' | 'designer' | 'admin'>();
    for (const entry of value.split(',').map((part) => part.trim())) {
      if (entry === '') continue;
      const [name, target] = entry.split('=').map((part) => part.trim());
      const parsed = z.enum(['web', 'mobile', 'designer', 'admin']).safeParse(target);
      if (!name || !parsed.success) {
        context.addIssue({ code: 'custom', message: 'must be pairs such as kiosk=web,studio=designer' });
        return z.NEVER;
      }
      map.set(name, parsed.data);
    }
    return map;
  });

/** The variables both deployments read. Names of the replaced system keep their meaning. */
export const kitConfigShape = {
  ...socialConfigShape,
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.|mysql:\/\/)/, 'must begin with file: or mysql://')
    .default('file:.data/gatehouse.db'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  DATABASE_TIMEOUT_MS: milliseconds(100, 60_000).default(5_000),
  HEADERS_TIMEOUT_MS: milliseconds(100, 600_000).default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds(100, 600_000).default(30_000),
  HANDLER_TIMEOUT_MS: milliseconds(100, 600_000).default(70_000),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(0, 3_600_000).default(65_000),
  REDIS_URL: z
    .string()
    .refine(
      (value) => /^rediss?:\/\/./.test(value) && URL.canParse(value),
      'must begin with redis:// or rediss://',
    )
    .optional(),
  JWT_SECRET_KEY: secret(32),
  JWT_SECRET_KEY_PREVIOUS: z.string().min(1).optional(),
  JWT_SECRET_KEY_PREVIOUS_UNTIL: z.iso
    .datetime({ offset: true, error: 'must be a date such as 2026-12-31T00:00:00Z' })
    .or(z.iso.date())
    .transform((value) => Date.parse(value))
    .optional(),
  JWT_EXPIRES_IN: duration.default(7 * 86_400),
  TOKEN_HEADER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be a header name')
    .refine(
      (value) => !['authorization', 'accountid', 'cookie', 'host'].includes(value.toLowerCase()),
      'must not be a header that has another meaning',
    )
    .default('Token'),
  SESSION_SECRET: secret(32),
  DATA_ENCRYPTION_KEY: dataKey,
  DATA_ENCRYPTION_KEY_PREVIOUS: list.pipe(z.array(dataKey)),
  DESIGNER: role.default(4),
  USER_MEMBER: role.default(5),
  ACCOUNT_MANAGER: role.default(6),
  APP_URL: url,
  BASE_URL: url,
  MAIN_URL: url.optional(),
  APPTYPE_MAP: apptypeMap,
  CORS_ORIGINS: list.pipe(
    z.array(
      z
        .string()
        .refine(
          (value) => URL.canParse(value) && new URL(value).origin === value,
          'must be origins such as https://app.example.com',
        ),
    ),
  ),
  TRUSTED_PROXIES: list.refine(isAddressReadable, 'must be addresses or ranges such as 10.0.0.0/8'),
  PASSWORD_HASH_CONCURRENCY: z.coerce.number().int().min(1).max(64).optional(),
  PASSWORD_HASH_QUEUE: z.coerce.number().int().min(0).max(100_000).default(200),
  PASSWORD_HASH_WAIT_MS: milliseconds(100, 60_000).default(6_000),
  LOGIN_FAILURES_PER_MEMBER: z.coerce.number().int().min(1).max(99).default(20),
  LOGIN_FAILURES_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  MAIL_REQUESTS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  REGISTRATIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  SOCIAL_VISITS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(600),
  SHUTDOWN_DELAY_MS: milliseconds(0, 60_000).default(0),
  PARTNER_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),
  PARTNER_REGISTRATIONS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(120),
  PARTNER_TOKEN_ISSUER: z.string().min(1).max(200).default('gatehouse'),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: url.optional(),
  SMTP_URL: z
    .string()
    .refine(
      (value) => /^smtps?:\/\/./.test(value) && URL.canParse(value),
      'must begin with smtp:// or smtps://',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, 'must be a sender such as Gatehouse <no-reply@example.com>')
    .optional(),
  MAIL_OUTBOX_DIRECTORY: z.string().min(1).default('.data/outbox'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], { error: 'must be http/protobuf or http/json' })
    .default('http/protobuf'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((value) => value.toLowerCase() === 'true'),
  OTEL_SERVICE_NAME: z.string().min(1).max(200).optional(),
  METRICS_TOKEN: secret(16).optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  LOOP_DELAY_WARN_MS: milliseconds(10, 60_000).default(500),
  STRIPE_WEBHOOK_SECRET: list,
  PADDLE_SANDBOX_WEBHOOK_SECRET: list,
  PADDLE_PRODUCTION_WEBHOOK_SECRET: list,
  PADDLE_ADMIN_WEBHOOK_SECRET: list,
  STRIPE_API_KEY: z.string().min(1).optional(),
  STRIPE_API_URL: url.default('https://api.stripe.com'),
  PADDLE_API_KEY: z.string().min(1).optional(),
  PADDLE_API_URL: url.optional(),
  ANALYSIS_PROGRAM: z.string().min(1).optional(),
  ANALYSIS_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(60),
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_660).default(730),
  TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(14),
} as const;

export { port as portVariable };

export type KitConfig = z.output<z.ZodObject<typeof kitConfigShape>> & { readonly PORT: number };

/**
 * Reads and validates an environment against a deployment's shape. An empty variable counts as absent.
 * @throws {ConfigError} naming every variable at fault at once, never printing a value.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = z.object(shape).safeParse(present);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  problems.push(...crossProblems(present));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

const WEBHOOK_SECRETS = [
  'STRIPE_WEBHOOK_SECRET',
  'PADDLE_SANDBOX_WEBHOOK_SECRET',
  'PADDLE_PRODUCTION_WEBHOOK_SECRET',
  'PADDLE_ADMIN_WEBHOOK_SECRET',
] as const;

function crossProblems(env: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  if (env['JWT_SECRET_KEY_PREVIOUS'] && !env['JWT_SECRET_KEY_PREVIOUS_UNTIL']) {
    problems.push('JWT_SECRET_KEY_PREVIOUS_UNTIL: is missing; a previous key needs the date it ends');
  }
  if ((env['NODE_ENV'] ?? 'production') === 'production') {
    for (const name of ['JWT_SECRET_KEY', 'SESSION_SECRET']) {
      if (PLACEHOLDER.test(env[name] ?? ''))
        problems.push(`${name}: looks like a placeholder; use openssl rand -base64 48`);
    }
    for (const name of WEBHOOK_SECRETS) {
      const secrets = list.parse(env[name]);
      if (secrets.some((value) => Buffer.byteLength(value) < 16 || PLACEHOLDER.test(value)))
        problems.push(`${name}: must hold the secret that the provider shows for this endpoint`);
    }
  }
  const roles = [env['DESIGNER'] ?? '4', env['USER_MEMBER'] ?? '5', env['ACCOUNT_MANAGER'] ?? '6'].map(
    Number,
  );
  if (new Set(roles).size !== 3 || roles.some((value) => [0, 1, 2, 3, 11].includes(value))) {
    problems.push('DESIGNER, USER_MEMBER, ACCOUNT_MANAGER: must be distinct and outside 0, 1, 2, 3 and 11');
  }
  return problems;
}
