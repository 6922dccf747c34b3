import { brandFile } from '@gatehouse/runtime/config/brand/brand';
import { configProblems } from '@gatehouse/runtime/config/config-problems';
import {
  apptypeMap,
  databaseUrl,
  dataKey,
  duration,
  endpoint,
  isAddressReadable,
  list,
  milliseconds,
  origin,
  port,
  role,
  secret,
  serverUrl,
  signingSecret,
  url,
} from '@gatehouse/runtime/config/config-values';
import { isPasskeyOrigin } from '@gatehouse/runtime/config/relying-party';
import { areNetworks } from '@gatehouse/runtime/network/guarded-client';
import { areNameServers } from '@gatehouse/runtime/network/txt-resolver';
import { z } from 'zod';
import { billingPlans } from './billing-plans.js';
import { type ClientDocumentHosts, clientHostName } from './guard/client-host.js';
import { productPermissions, productRoleProblems } from './product-permissions.js';
import { socialConfigShape } from './social-providers/social-providers.js';

/** Thrown when the environment is not valid for a service. Names every problem, no value. */
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

const origins = list.pipe(
  z.array(
    z.string().transform((value, context) => {
      const read = origin.safeParse(value);
      if (read.success) return read.data;
      context.addIssue({ code: 'custom', message: 'must be origins such as https://app.example.com' });
      return z.NEVER;
    }),
  ),
);

const trueOrFalse = (preset: 'true' | 'false') =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(preset)
    .transform((value) => value === 'true');

/** The hosts whose documents may describe applications. */
const clientDocuments = z
  .string()
  .default('off')
  .transform((value, context): ClientDocumentHosts => {
    if (value === 'any') return 'any';
    const hosts = value === 'off' ? [] : list.parse(value);
    if (!hosts.every((host) => clientHostName.safeParse(host).success))
      context.addIssue({ code: 'custom', message: 'must be off, any, or hosts such as agent.example.com' });
    return hosts;
  });

const authenticationLevel = z.coerce
  .number({ error: 'must be 1, 2 or 3' })
  .int()
  .min(1, 'must be 1, 2 or 3')
  .max(3, 'must be 1, 2 or 3');

/** The variables both deployments read. Names of the replaced system keep their meaning. */
/** As libuv reads it. */
function threadsIn(text: string): number {
  const count = Number.parseInt(text, 10) || 1;
  return count < 0 || count > 1024 ? 1024 : count;
}

export const configShape = {
  ...socialConfigShape,
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: databaseUrl.default('file:.data/gatehouse.db'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  DATABASE_TIMEOUT_MS: milliseconds(100, 60_000).default(4_000),
  ACCESS_READ_INTERVAL_MS: milliseconds(0, 2).optional(),
  HEADERS_TIMEOUT_MS: milliseconds(100, 600_000).default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds(100, 600_000).default(30_000),
  HANDLER_TIMEOUT_MS: milliseconds(100, 600_000).default(70_000),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(0, 3_600_000).default(65_000),
  REDIS_URL: serverUrl(['redis', 'rediss']).optional(),
  JWT_SECRET_KEY: secret(32),
  JWT_SECRET_KEY_PREVIOUS: z.string().min(1).optional(),
  JWT_SECRET_KEY_PREVIOUS_UNTIL: z.iso
    .datetime({ offset: true, error: 'must be a date such as 2026-12-31T00:00:00Z' })
    .or(z.iso.date())
    .transform((value) => Date.parse(value))
    .optional(),
  JWT_EXPIRES_IN: duration.default(7 * 86_400),
  SESSION_ABSOLUTE: duration.optional(),
  SESSION_IDLE: duration.optional(),
  STAFF_SESSION_ABSOLUTE: duration.optional(),
  STAFF_SESSION_IDLE: duration.optional(),
  COOKIE_ORIGINS: origins,
  TOKEN_HEADER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be a header name')
    .refine(
      (value) => !['accountid', 'cookie', 'host'].includes(value.toLowerCase()),
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
  BASE_URL: origin,
  MAIN_URL: origin.optional(),
  ADMIN_URL: origin.optional(),
  APPTYPE_MAP: apptypeMap,
  PRODUCT_PERMISSIONS: productPermissions,
  CORS_ORIGINS: origins,
  TRUSTED_PROXIES: list.refine(isAddressReadable, 'must be addresses or ranges such as 10.0.0.0/8'),
  DNS_SERVERS: list.refine(areNameServers, 'must be addresses such as 10.0.0.2:53'),
  EVENTS_PRIVATE_NETWORKS: list.refine(areNetworks, 'must be ranges such as 10.20.0.0/16'),
  UV_THREADPOOL_SIZE: z.string().default('4').transform(threadsIn),
  PASSWORD_HASH_CONCURRENCY: z.coerce.number().int().min(1).max(64).optional(),
  PASSWORD_HASH_QUEUE: z.coerce.number().int().min(0).max(100_000).default(200),
  PASSWORD_HASH_WAIT_MS: milliseconds(100, 60_000).default(6_000),
  LOGIN_FAILURES_PER_MEMBER: z.coerce.number().int().min(1).max(99).default(20),
  LOGIN_FAILURES_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  MAIL_REQUESTS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  EMAIL_SIGN_IN: trueOrFalse('true'),
  FLOWS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(600),
  REGISTRATIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(300),
  SOCIAL_VISITS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(600),
  PORTAL: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .transform((value) => value === 'on'),
  PORTAL_BRAND: brandFile.optional(),
  PORTAL_RETURN_ORIGINS: origins,
  CONSOLE: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .transform((value) => value === 'on'),
  MCP: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .transform((value) => value === 'on')
    .optional(),
  OAUTH_CLIENT_DOCUMENTS: clientDocuments,
  PASSKEY_RP_ID: z
    .string()
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain such as example.com')
    .optional(),
  PASSKEY_ORIGINS: list.pipe(
    z.array(
      z
        .string()
        .transform((value) => (value.startsWith('android:') ? value : origin.safeParse(value).data) ?? '')
        .refine(
          isPasskeyOrigin,
          'must be origins such as https://app.example.com, or as android:apk-key-hash:…',
        ),
    ),
  ),
  SHUTDOWN_DELAY_MS: milliseconds(0, 15_000).default(0),
  PARTNER_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),
  PARTNER_REGISTRATIONS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(120),
  PARTNER_TOKEN_ISSUER: z.string().min(1).max(200).default('gatehouse'),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: url.optional(),
  SMTP_URL: serverUrl(['smtp', 'smtps']).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, 'must be a sender such as Gatehouse <no-reply@example.com>')
    .optional(),
  MAIL_OUTBOX_DIRECTORY: z.string().min(1).default('.data/outbox'),
  MAIL_OUTBOX_ONLY: trueOrFalse('false'),
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
  STRIPE_API_URL: origin.default('https://api.stripe.com'),
  PADDLE_API_KEY: z.string().min(1).optional(),
  PADDLE_API_URL: url.optional(),
  BILLING_PLANS: billingPlans,
  PAST_DUE_GRACE_DAYS: z.coerce.number().int().min(0).max(365).default(7),
  BILLING_PAUSE_ENDS_ACCESS: trueOrFalse('false'),
  ANALYSIS_PROGRAM: z.string().min(1).optional(),
  ANALYSIS_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(60),
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_660).default(730),
  ACCOUNTS_PER_MEMBER: z.coerce.number().int().min(1).max(1_000).default(10),
  ACCOUNT_GRACE_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  MEMBER_GRACE_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  STAFF_ROOT_LEVEL: authenticationLevel.optional(),
  STAFF_LEVEL: authenticationLevel.default(1),
  FACTORS_UNTIL: z.iso
    .datetime({ offset: true, error: 'must be a date such as 2026-12-31T00:00:00Z' })
    .or(z.iso.date())
    .transform((value) => Date.parse(value))
    .optional(),
  LEGACY_SIGN_IN_URL: endpoint.optional(),
  LEGACY_SIGN_IN_SECRET: signingSecret.optional(),
  LEGACY_SIGN_IN_UNTIL: z.iso
    .datetime({ offset: true, error: 'must be a date such as 2026-12-31T00:00:00Z' })
    .or(z.iso.date())
    .transform((value) => Date.parse(value))
    .optional(),
  TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(14),
} as const;

export { port as portVariable };

export type Config = z.output<z.ZodObject<typeof configShape>> & { readonly PORT: number };

/**
 * Validates an environment against a deployment's shape. An empty variable is treated as absent.
 * @throws {ConfigError} naming every wrong variable at once, never printing a value.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = z.object(shape).safeParse(present);
  const issues = parsed.success ? [] : parsed.error.issues;
  const wrong = issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
  const between = [...configProblems(present, new Set(Object.keys(shape))), ...productRoleProblems(present)];
  const problems = [...new Set([...wrong, ...between])];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

/** Whether agents may call this service: unless it is set, in development only. */
export function servesAgents({ MCP, NODE_ENV }: Pick<Config, 'MCP' | 'NODE_ENV'>): boolean {
  return MCP ?? NODE_ENV === 'development';
}

/** The name of the product in pages and mails. The operator's commands know no brand. */
export function productName(config: Pick<Config, 'PORTAL_BRAND'> | undefined): string {
  return config?.PORTAL_BRAND?.name ?? 'Gatehouse';
}
