import { AppError, timingSafeEqualText } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { z } from 'zod';
import type { HttpServices, RequestContext } from '../server/request-context.js';
import { bearerTokenIn } from '../server/request-headers.js';
import { send, sendJson } from './reply.js';
import type { DescribedEndpoint, RawEndpoint } from './route.js';

/** Why a node with this database is not ready; undefined if it is ready. Opens a connection. */
export async function databaseProblem(
  db: Pick<Database, 'hasRoom' | 'pendingMigrations'>,
): Promise<string | undefined> {
  try {
    const pending = await db.pendingMigrations();
    if (pending.length > 0) return `${pending.length} migrations pending`;
    return (await db.hasRoom()) ? undefined : 'the disk of the database is full';
  } catch (error) {
    const isDenied = error instanceof DatabaseUnavailableError && error.reason === 'denied';
    return isDenied ? 'the database denies access' : 'database away';
  }
}

const alive = z.object({ status: z.literal(true), service: z.string(), version: z.string() });

const notReady = alive.extend({ status: z.literal(false), message: z.string() });

export const ALIVE: DescribedEndpoint = {
  summary: 'The process is alive',
  about: {
    tag: 'machines',
    answers: { 200: { description: 'It is', content: { 'application/json': alive } } },
    refuses: [],
  },
};

export const READY: DescribedEndpoint = {
  summary: 'The service takes traffic: database reached, migrations applied, room to write',
  about: {
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
};

/** Whether this process is alive, and whether it is ready for traffic. */
export function healthHandlers(
  deployment: { readonly name: string; readonly version: string },
  services: Pick<HttpServices, 'db'>,
  state: { readonly isStopping: boolean },
): Readonly<Record<'alive' | 'ready', RawEndpoint<RequestContext>['handle']>> {
  const askDatabase = shared(() => databaseProblem(services.db));
  const identity = { service: deployment.name, version: deployment.version };
  return {
    alive: ({ response }) => {
      sendJson(response, 200, { status: true, ...identity });
    },
    ready: async ({ response }) => {
      const problem = state.isStopping ? 'stopping' : await askDatabase();
      if (problem !== undefined) response.setHeader('Retry-After', '1');
      sendJson(response, problem === undefined ? 200 : 503, {
        status: problem === undefined,
        ...identity,
        ...(problem === undefined ? {} : { message: `Not ready: ${problem}` }),
      });
    },
  };
}

/** Concurrent probes share one check, so that frequent probing opens no more connections. */
function shared<Answer>(find: () => Promise<Answer>): () => Promise<Answer> {
  let finding: Promise<Answer> | undefined;
  return () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  };
}

/** The metrics of this process, for holders of METRICS_TOKEN. Not found when that variable is unset. */
export const metricsEndpoint: RawEndpoint<RequestContext> = {
  summary: 'Figures for Prometheus',
  about: {
    tag: 'machines',
    security: 'metrics',
    answers: {
      200: {
        description: 'The figures, in the text format of Prometheus',
        content: { 'text/plain': z.string() },
      },
    },
    refuses: ['unauthorized', 'not_found', 'unavailable'],
  },
  handle: async ({ response, ctx }) => {
    const { METRICS_TOKEN } = ctx.services.config;
    if (METRICS_TOKEN === undefined) throw new AppError('not_found');
    if (!timingSafeEqualText(bearerTokenIn(ctx.call.header('authorization')) ?? '', METRICS_TOKEN))
      throw new AppError('unauthorized');
    const { contentType, text } = await ctx.services.metrics.render();
    response.setHeader('Cache-Control', 'no-store');
    send(response, 200, contentType, text);
  },
};
