import type { Database } from '@gatehouse/db/database';
import type { Services } from '@gatehouse/features/core/context';
import { createServices, type ServicesOptions } from '@gatehouse/features/deployment/create-services';
import type { Service } from '@gatehouse/http/create-service';
import { createLogger } from '@gatehouse/runtime/log/log';
import { keepLog, plantCanaries } from './canaries.js';
import { plantEnvironment } from './plant-environment.js';
import { seedTestDatabase } from './seed-test-database.js';
import { sendRequest, type TestRequest } from './send-request.js';
import { testConfig, testEnvironment } from './test-config.js';
import { createTestDatabase, type TestDialect } from './test-database.js';
import { openTestProxy } from './test-proxy.js';

/** A deployment on a free port over its own database. */
export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly services: Services;
  readonly database: Database;
  /** Every line the service has logged. */
  readonly logLines: readonly string[];
  /** Sends one request; `body` is sent as JSON. */
  send(path: string, request?: TestRequest): Promise<Response>;
}

export interface StartOptions {
  dialect: TestDialect;
  application: ServicesOptions['application'];
  /** Replaces variables of the test environment. */
  env?: Readonly<Record<string, string>>;
  now?: () => number;
  /** The port; a free one by default. */
  port?: number;
  /**
   * A database shared with other services, which the caller closes. By default a new one with the demonstration
   * data.
   */
  database?: Database;
}

/** Starts a deployment for one test; `await using` stops it. */
export async function startService(
  createApp: (services: Services) => Service,
  options: StartOptions,
): Promise<RunningService> {
  const config = testConfig(options.env);
  plantEnvironment({ ...testEnvironment(), ...options.env });
  const logLines: string[] = [];
  const log = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => void logLines.push(line) },
  });
  const own = options.database ? undefined : await createTestDatabase(options.dialect);
  const database = options.database ?? own?.database;
  if (!database) throw new Error('A service needs a database');
  const services = plantCanaries(
    createServices({
      config,
      db: database,
      log,
      application: options.application,
      ...(options.now ? { now: options.now } : {}),
    }),
  );
  if (own) await seedTestDatabase(database, { cipher: services.cipher, nowMs: services.now() });
  const service = createApp(services);
  const ownUrl = await service.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const proxy = await openTestProxy(ownUrl);
  const url = proxy?.url ?? ownUrl;

  return {
    url,
    services,
    database,
    logLines,
    send: (path, request = {}) => sendRequest(`${url}${path}`, request, config.TOKEN_HEADER_KEY),
    async [Symbol.asyncDispose]() {
      await using _front = proxy;
      service.server.closeAllConnections();
      await service.stop();
      await services.activity.close();
      await services.keyUse.close();
      await services.limits.close();
      await own?.[Symbol.asyncDispose]();
      keepLog(logLines.join(''));
    },
  };
}
