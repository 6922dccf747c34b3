import {
  ConfigError,
  createLogger,
  makeKit,
  openTracing,
  readConfig,
  runService,
  traceStatements,
  withDevelopmentSecrets,
} from '@gatehouse/api-kit';
import { openDatabase } from '@gatehouse/db';
import { createApp } from './app.js';
import { configShape } from './config.js';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';
import { jobs } from './jobs.js';

async function main(): Promise<void> {
  const isDevelopment = process.env['NODE_ENV'] === 'development';
  const config = readConfig(
    configShape,
    isDevelopment ? withDevelopmentSecrets(process.env, '.data') : process.env,
  );
  const log = createLogger({ service: SERVICE_NAME, level: config.LOG_LEVEL });
  const tracing = await openTracing(config, { name: SERVICE_NAME, version: SERVICE_VERSION });
  const db = await openDatabase(
    config.DATABASE_URL,
    {
      poolSize: config.DATABASE_POOL_SIZE,
      queryTimeoutMs: config.DATABASE_TIMEOUT_MS,
      acquireTimeoutMs: config.DATABASE_TIMEOUT_MS,
      busyTimeoutMs: config.DATABASE_TIMEOUT_MS,
    },
    traceStatements(tracing),
  );
  const kit = makeKit({ config, db, log, application: 'web', tracing });
  await runService(createApp(kit), {
    kit,
    db,
    jobs,
    host: config.HOST,
    port: config.PORT,
    name: SERVICE_NAME,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(1);
});
