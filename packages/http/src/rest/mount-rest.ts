import { AppError } from '@gatehouse/auth-core';
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server';
import express from 'express';
import type { RequestContext } from '../server/request-context.js';
import { type Failure, logDenied, toFailure } from '../server/request-failure.js';
import { listProcedures } from '../trpc/list-procedures.js';
import { documentedInput } from './procedure-rows.js';
import { sendCookies, sendFailure, sendJson } from './reply.js';
import { requestFields } from './request-body.js';
import type { Method, ProcedureRow, RawExchange, RestRow } from './route.js';
import { asSent, refuseUnread } from './wire-fields.js';

interface RouteMatch<Row> {
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

interface RouteMap<Row> {
  /** The row for a path and method. If a known path has another method, `methods` lists those it accepts. */
  find(
    method: string,
    pathname: string,
  ): RouteMatch<Row> | { readonly methods: readonly Method[] } | undefined;
}

interface Pattern<Row> {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly rows: Row[];
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/**
 * Finds rows by path: one map look-up for plain paths, a short list of patterns for those with parameters. Like
 * the replaced system's router, it ignores case and a trailing slash.
 * @throws {Error} at start, when two rows claim the same method and path.
 */
function createRouteMap<Row extends RestRow<never>>(rows: readonly Row[]): RouteMap<Row> {
  const plain = new Map<string, Row[]>();
  const patterns = new Map<string, Pattern<Row>>();

  for (const row of rows) {
    const path = canonical(row.path);
    const siblings = path.includes(':') ? patternFor(patterns, row.path).rows : listFor(plain, path);
    const claimed = siblings.find((other) => other.methods.some((method) => row.methods.includes(method)));
    if (claimed) throw new Error(`Two rows claim ${row.methods.join('/')} ${row.path}`);
    siblings.push(row);
  }

  function choose(candidates: readonly Row[], method: string, params: RouteMatch<Row>['params']) {
    const row = candidates.find((candidate) => candidate.methods.some((accepted) => accepted === method));
    return row ? { row, params } : { methods: candidates.flatMap((candidate) => candidate.methods) };
  }

  return {
    find(method, pathname) {
      const known = plain.get(pathname) ?? plain.get(canonical(pathname));
      if (known) return choose(known, method, NO_PARAMS);
      for (const { expression, names, rows: candidates } of patterns.values()) {
        const match = expression.exec(pathname);
        if (!match) continue;
        const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
        return choose(candidates, method, params);
      }
      return undefined;
    },
  };
}

function canonical(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

function listFor<Row>(lists: Map<string, Row[]>, key: string): Row[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function patternFor<Row>(patterns: Map<string, Pattern<Row>>, path: string): Pattern<Row> {
  const names: string[] = [];
  const source = path
    .split(/(:[A-Za-z]+)/)
    .map((part) => {
      if (!part.startsWith(':')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part.slice(1));
      return '([^/]+)';
    })
    .join('');
  const pattern = patterns.get(source) ?? { expression: new RegExp(`^${source}/?$`, 'i'), names, rows: [] };
  patterns.set(source, pattern);
  return pattern;
}

interface RestTransport {
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
    refusal,
    isOwnPage,
    resourceMetadata,
  }: {
    preparedFor: (request: express.Request) => Prepared<Context>;
    /** Sends the page that browsers get at `/`. */
    landing: ((exchange: Pick<RawExchange<Context>, 'request' | 'response' | 'ctx'>) => void) | undefined;
    /** Sends the page that browsers get in place of one that is refused or does not exist. */
    refusal:
      | ((exchange: Pick<RawExchange<Context>, 'response' | 'ctx'>, failure: Failure) => void)
      | undefined;
    /** Whether pages of this origin may send forms. */
    isOwnPage: (origin: string) => boolean;
    /** Where a client reads how to get a token. */
    resourceMetadata: string | undefined;
  },
): RestTransport {
  const routes = createRouteMap(rows);
  const procedures = listProcedures(router);
  const types = new Map(procedures.map(({ name, type }) => [name, type]));
  const readers = new Map(procedures.map(({ name, input }) => [name, documentedInput(input)]));
  const derived = new Map(
    rows.flatMap((row) => (row.kind === 'procedure' && row.derived ? [[row.call, row]] : [])),
  );
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((request, response) => {
    const prepared = preparedFor(request);
    const { ctx } = prepared;
    const { pathname, query } = splitUrl(request.url);
    let row: ProcedureRow | undefined;
    let isPage = false;

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
          resourceMetadata,
          showPage:
            refusal && isPage && isNavigation(request)
              ? () => refusal({ response, ctx }, failure)
              : undefined,
        });
      }
    });

    async function answer(): Promise<void> {
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      const found = routes.find(isReading ? 'GET' : request.method, pathname);
      if (!found) {
        isPage = isReading;
        throw new AppError('not_found');
      }
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
        const { path, handle, about } = found.row;
        isPage = about.tag === 'pages';
        const params = decodeParams(found);
        const callProcedure: RawExchange<Context>['callProcedure'] = (name, fields) => {
          prepared.route = `${path} ${name}`;
          return callByName(name, fields, ctx);
        };
        await handle({ request, response, params, query, ctx, callProcedure });
        return;
      }
      const called = found.row;
      row = called;
      const readInput = async () => {
        const { fields, isText } = await requestFields(request, response, {
          query: isReading ? query : undefined,
          takesForm: !called.derived,
          isOwnPage,
          maxBytes: called.about.maxBodyBytes,
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

  async function callByName(
    name: string,
    fields: Readonly<Record<string, unknown>>,
    ctx: Context,
  ): Promise<unknown> {
    const row = derived.get(name);
    if (row === undefined) throw new AppError('not_found');
    const arrived = { ...ctx, call: { ...ctx.call, hasBody: false } };
    const account = ctx.call.header('accountid');
    return callProcedure(row, arrived, async () => row.input({ fields, params: NO_PARAMS, account }));
  }

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

/** Whether a browser opens an address. `Accept` does not tell: Java's client asks for HTML unless it is told otherwise. */
function isNavigation({ headers }: express.Request): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
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
