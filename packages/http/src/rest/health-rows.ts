import { DatabaseUnavailableError } from '@gatehouse/db';
import { z } from 'zod';
import type { HttpServices, RequestContext } from '../server/request-context.js';
import { metricsRow } from './metrics-row.js';
import { sendJson } from './reply.js';
import { type RestRow, rawRow } from './route.js';

const alive = z.object({ status: z.literal(true), service: z.string(), version: z.string() });
const notReady = alive.extend({ status: z.literal(false), message: z.string() });

/** For machines: alive (`/healthz`), ready for traffic (`/readyz`), and metrics (`/metrics`). */
export function healthRows(
  deployment: { readonly name: string; readonly version: string },
  services: Pick<HttpServices, 'db'>,
  state: { readonly isStopping: boolean },
): RestRow<RequestContext>[] {
  const askDatabase = shared(() => databaseProblem(services));
  const identity = { service: deployment.name, version: deployment.version };
  return [
    metricsRow,
    rawRow(
      ['GET'],
      '/healthz',
      'The process is alive',
      {
        tag: 'machines',
        answers: { 200: { description: 'It is', content: { 'application/json': alive } } },
        refuses: [],
      },
      ({ response }) => {
        sendJson(response, 200, { status: true, ...identity });
      },
    ),
    rawRow(
      ['GET'],
      '/readyz',
      'The service takes traffic: database reached, migrations applied, room to write',
      {
        tag: 'machines',
        answers: {
          200: { description: 'It does', content: { 'application/json': alive } },
          503: {
            description: 'It does not',
            content: { 'application/json': notReady },
            headers: { 'Retry-After': 'Seconds until it is worth asking again' },
          },
        },
        refuses: [],
      },
      async ({ response }) => {
        const problem = state.isStopping ? 'stopping' : await askDatabase();
        if (problem !== undefined) response.setHeader('Retry-After', '1');
        sendJson(response, problem === undefined ? 200 : 503, {
          status: problem === undefined,
          ...identity,
          ...(problem === undefined ? {} : { message: `Not ready: ${problem}` }),
        });
      },
    ),
  ];
}

/** Concurrent probes share one check, so that frequent probing makes no more connections. */
function shared<Answer>(find: () => Promise<Answer>): () => Promise<Answer> {
  let finding: Promise<Answer> | undefined;
  return () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  };
}

async function databaseProblem({ db }: Pick<HttpServices, 'db'>): Promise<string | undefined> {
  try {
    const pending = await db.pendingMigrations();
    if (pending.length > 0) return `${pending.length} migrations pending`;
    return (await db.hasRoom()) ? undefined : 'the disk of the database is full';
  } catch (error) {
    const isDenied = error instanceof DatabaseUnavailableError && error.reason === 'denied';
    return isDenied ? 'the database denies access' : 'database away';
  }
}
