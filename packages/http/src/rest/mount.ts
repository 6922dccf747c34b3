import { AppError } from '@gatehouse/auth-core';
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server';
import express from 'express';
import { type Failure, toFailure } from '../server/errors.js';
import { logDenied } from '../server/log-denied.js';
import type { RequestContext } from '../server/request-context.js';
import { sendCookies } from '../server/send-cookies.js';
import { listProcedures } from '../trpc/list-procedures.js';
import { documentedInput } from './documented-input.js';
import { sendFailure, sendJson } from './reply.js';
import { requestFields } from './request-fields.js';
import type { ProcedureRow, RawExchange, RestRow } from './route.js';
import { createRouteMap, type RouteMatch } from './route-map.js';
import { asSent, refuseUnread } from './sent-names.js';

export interface RestTransport {
  /** The Express application that answers every documented path, and 404 or 405 for the rest. */
  readonly app: express.Express;
}

/** An exchange as the server prepared it. */
export interface Prepared<Context extends RequestContext> {
  readonly ctx: Context;
  /** Set by the transport, for the log line of the request. */
  route: string;
}

/**
 * Serves a deployment's table: one middleware finds the row, builds the procedure's input, and renders the
 * result. It reads a body once, when the procedure or its guard requests the input. So the caller is
 * identified before the body is parsed.
 */
export function mountRest<Context extends RequestContext>(
  router: AnyTRPCRouter,
  rows: readonly RestRow<Context>[],
  {
    preparedFor,
    landing,
    isOwnPage,
  }: {
    preparedFor: (request: express.Request) => Prepared<Context>;
    /** Sends the page that browsers get at `/`. */
    landing: ((exchange: Pick<RawExchange<Context>, 'request' | 'response' | 'ctx'>) => void) | undefined;
    /** Whether pages of this origin may send forms. */
    isOwnPage: (origin: string) => boolean;
  },
): RestTransport {
  const routes = createRouteMap(rows);
  const procedures = listProcedures(router);
  const types = new Map(procedures.map(({ name, type }) => [name, type]));
  const readers = new Map(procedures.map(({ name, input }) => [name, documentedInput(input)]));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((request, response) => {
    const prepared = preparedFor(request);
    const { ctx } = prepared;
    const { pathname, query } = splitUrl(request.url);
    let row: ProcedureRow | undefined;

    answer().catch((error: unknown) => {
      const failure = sentTo(row, toFailure(error));
      logDenied(ctx, failure);
      if (!failure.isForeseen) ctx.services.log.failure(prepared.route, error, ctx.call.requestId);
      if (response.headersSent) response.destroy();
      else {
        sendCookies(response, ctx, [failure]);
        sendFailure(response, failure, {
          requestId: ctx.call.requestId,
          accept: request.headers.accept,
          path: pathname,
        });
      }
    });

    async function answer(): Promise<void> {
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      const found = routes.find(isReading ? 'GET' : request.method, pathname);
      if (!found) throw new AppError('not_found');
      if (!('row' in found)) {
        response.setHeader('Allow', found.methods.join(', '));
        throw new AppError('method_not_allowed');
      }
      prepared.route = found.row.path;
      if (landing && found.row.path === '/' && isBrowser(request)) {
        landing({ request, response, ctx });
        return;
      }
      if (found.row.kind === 'raw') {
        await found.row.handle({ request, response, params: decodeParams(found), query, ctx });
        return;
      }
      const called = found.row;
      row = called;
      const readInput = async () => {
        const { fields, isText } = await requestFields(request, response, {
          query: isReading ? query : undefined,
          takesForm: !called.derived,
          isOwnPage,
        });
        refuseUnread(called, fields);
        const input = called.input({
          fields,
          params: decodeParams(found),
          isReading,
          account: ctx.call.header('accountid'),
        });
        return called.derived ? input : readers.get(called.call)?.(input, { isText });
      };
      let input: Promise<unknown> | undefined;
      const output = await callProcedure(called, ctx, () => (input ??= readInput()));
      sendCookies(response, ctx);
      sendJson(response, 200, envelope(output));
    }
  });

  function callProcedure(
    row: ProcedureRow,
    ctx: Context,
    getRawInput: () => Promise<unknown>,
  ): Promise<unknown> {
    return callTRPCProcedure({
      router,
      path: row.call,
      getRawInput,
      ctx,
      type: types.get(row.call) ?? 'query',
      signal: undefined,
      batchIndex: 0,
    });
  }

  return { app };
}

/** A failure whose issues use the field names of the request. */
function sentTo(row: ProcedureRow | undefined, failure: Failure): Failure {
  if (row === undefined || failure.issues === undefined) return failure;
  return { ...failure, issues: asSent(row, failure.issues) };
}

/** The success envelope around a procedure's output, an object or nothing. */
function envelope(output: unknown): Record<string, unknown> {
  const fields = typeof output === 'object' ? output : undefined;
  return { status: true, ...fields };
}

/** Whether a person views a page. Programs do not ask for HTML, or they identify themselves. */
function isBrowser({ headers }: express.Request): boolean {
  return (headers.accept?.includes('text/html') ?? false) && headers.authorization === undefined;
}

function splitUrl(url: string): { pathname: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  if (mark === -1) return { pathname: url, query: new URLSearchParams() };
  return { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

function decodeParams({ params }: Pick<RouteMatch<unknown>, 'params'>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new AppError('invalid_input', { issues: [{ path: '', message: 'The path is not well-formed' }] });
  }
}
