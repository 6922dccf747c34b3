import { setFlagsFromString } from 'node:v8';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { explainUnavailable } from '@gatehouse/db/explain-unavailable';
import { openDatabase } from '@gatehouse/db/open-database';
import type { Service } from '@gatehouse/http/create-service';
import { withDevelopmentSecrets } from '@gatehouse/runtime/config/secrets';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { createLogger } from '@gatehouse/runtime/log/log';
import { readableLines } from '@gatehouse/runtime/log/readable-lines';
import { openTracing } from '@gatehouse/runtime/tracing/open-tracing';
import { traceStatements } from '@gatehouse/runtime/tracing/tracing';
import type { z } from 'zod';
import { ConfigError, type configShape, type portVariable, readConfig } from '../core/config.js';
import type { ApplicationType, Services } from '../core/context.js';
import { createServices } from './create-services.js';
import { runService } from './run-service.js';
import { staffPasskeyProblem } from './staff-passkey-problem.js';
import { StartError } from './until-ready.js';

/** The differences between deployments. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** The application type of a login without one. */
  readonly application: ApplicationType;
  readonly configShape: typeof configShape & { readonly PORT: z.ZodDefault<typeof portVariable> };
  /** The jobs that it runs. */
  readonly jobs: readonly Job<Services>[];
  createApp(services: Services): Service;
}

/**
 * Runs a deployment with an environment until a signal stops it, see `runService`. Writes an error that
 * prevents the start to standard error, and exits with 1.
 */
export async function runDeployment(
  program: Program,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  // Otherwise, after some starts, V8 allocates the objects of a request in the old generation, which doubles its cost (ADR 1).
  setFlagsFromString('--no-allocation-site-pretenuring');
  try {
    await start(program, env);
  } catch (error) {
    const isOurs = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(`${isOurs ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** A transaction holds locks, so a long time-out in the configuration must not apply to it. */
const MAX_TRANSACTION_MS = 10_000;

async function start(
  { name, version, application, configShape, jobs, createApp }: Program,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const isDevelopment = env['NODE_ENV'] === 'development';
  const config = readConfig(configShape, isDevelopment ? withDevelopmentSecrets(env, '.data') : env);
  const unreachable = application === 'admin' ? staffPasskeyProblem(config) : undefined;
  if (unreachable !== undefined) throw new ConfigError([unreachable]);
  const log = createLogger({
    service: name,
    level: config.LOG_LEVEL,
    ...(isDevelopment ? { destination: readableLines((text) => process.stdout.write(text)) } : {}),
  });
  const tracing = await openTracing(config, { name, version });
  const db = await openDatabase(
    config.DATABASE_URL,
    {
      poolSize: config.DATABASE_POOL_SIZE,
      queryTimeoutMs: config.DATABASE_TIMEOUT_MS,
      acquireTimeoutMs: config.DATABASE_TIMEOUT_MS,
      transactionTimeoutMs: Math.min(config.DATABASE_TIMEOUT_MS, MAX_TRANSACTION_MS),
      busyTimeoutMs: config.DATABASE_TIMEOUT_MS,
      writeLockTimeoutMs: config.DATABASE_TIMEOUT_MS,
    },
    traceStatements(tracing),
  ).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    throw new StartError(explainUnavailable(error, config.DATABASE_URL), { cause: error });
  });
  const services = createServices({ config, db, log, application, tracing });
  await runService(createApp(services), { services, db, jobs, host: config.HOST, port: config.PORT, name });
}
