import { VERSION } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { Service } from '@gatehouse/http/create-service';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { type JobRunner, startJobs } from '@gatehouse/runtime/jobs/job-runner';
import { watchEventLoop } from '@gatehouse/runtime/metrics/create-metrics';
import { startMetricsServer } from '@gatehouse/runtime/metrics/metrics-server';
import type { Services } from '../core/context.js';
import { explainListen, StartError, untilReady } from './until-ready.js';
import { watchDatabase } from './watch-database.js';

/** The time limit of a graceful stop, in milliseconds. */
const STOP_TIMEOUT_MS = 25_000;
/** Connections that still send a request or wait for an answer then are cut, which leaves time to end in order. */
const CUT_OFF_MS = 20_000;

/**
 * Runs a service until SIGTERM or SIGINT. It then refuses traffic, finishes requests in flight, writes pending data, closes the
 * database, and exits with 0. Its jobs begin once the database answers and has every migration.
 * @throws StartError when it cannot listen, the database denies access, or an import into it was not finished
 */
export async function runService(
  service: Service,
  options: {
    services: Services;
    db: Database;
    jobs: readonly Job<Services>[];
    host: string;
    port: number;
    name: string;
  },
): Promise<void> {
  const { services, db, name } = options;
  const { METRICS_HOST, METRICS_PORT, LOOP_DELAY_WARN_MS, DATABASE_URL } = services.config;
  const url = await service
    .listen({ host: options.host, port: options.port })
    .catch(refuseListening({ ...options, variables: ['PORT', 'HOST'] }));
  services.log.notice('listening', { service: name, version: VERSION, url });
  services.metrics.watchProcess();
  watchEventLoop(services.log, LOOP_DELAY_WARN_MS);
  const figures =
    METRICS_PORT === undefined
      ? undefined
      : await startMetricsServer(services.metrics, { host: METRICS_HOST, port: METRICS_PORT }).catch(
          refuseListening({
            name: `${name} /metrics`,
            host: METRICS_HOST,
            port: METRICS_PORT,
            variables: ['METRICS_PORT', 'METRICS_HOST'],
          }),
        );

  const waiting = new AbortController();
  const running: { jobs?: JobRunner } = {};
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    waiting.abort();
    services.stopping.abort();
    services.log.notice('stopping', { signal });
    setTimeout(() => service.server.closeAllConnections(), CUT_OFF_MS).unref();
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await service.stop({ drainMs: services.config.SHUTDOWN_DELAY_MS });
    await running.jobs?.close();
    await figures?.close();
    await services.activity.close();
    await services.keyUse.close();
    await services.limits.close();
    await services.tracing?.close();
    await db.close();
    services.log.notice('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        services.log.failure('stop', error);
        process.exit(1);
      });
    });
  }

  if (!(await untilReady(db, { log: services.log, url: DATABASE_URL, signal: waiting.signal }))) return;
  services.log.notice('ready');
  fillPool(db, services.config.DATABASE_POOL_SIZE);
  watchDatabase(db, { log: services.log, url: DATABASE_URL });
  running.jobs = startJobs(services, options.jobs);
}

function refuseListening(place: Parameters<typeof explainListen>[1]): (error: unknown) => never {
  return (error) => {
    const sentence = explainListen(error, place);
    throw sentence === undefined ? error : new StartError(sentence, { cause: error });
  };
}

/** Opens connections in advance: with an empty pool every call of a burst would wait. */
function fillPool(db: Database, size: number): void {
  if (db.dialect !== 'mysql') return;
  for (let connection = 0; connection < size; connection += 1) db.ping().catch(() => undefined);
}
