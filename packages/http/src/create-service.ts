import {
  createServer,
  type IncomingHttpHeaders,
  IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@gatehouse/auth-core';
import { PROBES } from '@gatehouse/runtime/log/log';
import { createAddressReader } from '@gatehouse/runtime/network/client-address';
import type { AnyTRPCRouter, TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { machineRoutes } from './describe-service.js';
import { documentHandlers } from './openapi/document-endpoints.js';
import { type Page, sendPage } from './pages/html-page.js';
import { healthHandlers } from './rest/machine-endpoints.js';
import { mountRest, type Prepared } from './rest/mount-rest.js';
import { derivedRows } from './rest/procedure-rows.js';
import { batchHeaders, securityHeaders, sendCookies, sendFailure } from './rest/reply.js';
import type { RawExchange, RestRow } from './rest/route.js';
import { sharePrototypes } from './rest/share-prototypes.js';
import { createAdmission } from './server/admission.js';
import { answerUnreadable } from './server/answer-unreadable.js';
import { allowedOrigins, createCors, createOriginNotice, createPlainCors } from './server/cors.js';
import { createHandlerTimeouts } from './server/handler-timeouts.js';
import type { HttpServices, RequestContext } from './server/request-context.js';
import { type Failure, logDenied, toFailure } from './server/request-failure.js';
import { hasBody, headerText, originForm, requestIdFrom } from './server/request-headers.js';
import { watchCallers } from './server/watch-callers.js';
import { answerQueries, queriesIn } from './trpc/answer-queries.js';
import { listProcedures, trpcCalls } from './trpc/list-procedures.js';
import { tracedRouter } from './trpc/traced-router.js';
import { withOwnRunner } from './trpc/with-own-runner.js';
import { isBelow, type WebApp } from './web/web-app.js';

/** One deployment: its procedures and its table of paths. */
export interface Deployment<Context extends RequestContext> {
  readonly name: string;
  readonly version: string;
  readonly router: AnyTRPCRouter;
  readonly routes: readonly RestRow<Context>[];
  /** The page that a browser gets at `/`. Programs get the answer of that path's row. */
  readonly landing?: ((exchange: Pick<RawExchange<Context>, 'request' | 'ctx'>) => Page) | undefined;
  /** The page that a browser gets in place of a page that is refused, or for an address that does not exist. */
  readonly refusal?: (exchange: Pick<RawExchange<Context>, 'ctx'>, failure: Failure) => Page;
  /** Paths that pages of other applications call, and whose answers say which of them may read them. */
  readonly applicationPaths?: ReadonlySet<string>;
  /** Built pages, beside the table. */
  readonly webApps?: readonly WebApp[];
  /** The path where clients read how to get a token for this service, if they can (RFC 9728). */
  readonly resourceMetadataPath?: string;
}

export interface Service {
  readonly server: Server;
  /** Starts listening (port 0 picks a free one). Resolves to the base URL. */
  listen(address: { host: string; port: number }): Promise<string>;
  /**
   * Stops gracefully: first not ready, after `drainMs` no new connections. Requests in flight are answered.
   * Resolves when the last connection is closed.
   */
  stop(options?: { drainMs?: number }): Promise<void>;
}

/** Calls in one tRPC batch. */
const BATCH_LIMIT = 20;
const BODY_LIMIT = 100_000;
/** The interval of checks for slow connections and handlers. */
const TIMEOUT_CHECK_MS = 1_000;
const TRPC_PREFIX = '/trpc/';
/** The methods that tRPC's adapter accepts; it cannot turn some others into a request. */
const TRPC_METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** For requests whose calls tRPC cannot parse: without this its JSON would be sent as plain text. */
const UNREAD_CALLS: [string, string][] = [['Content-Type', 'application/json']];

/**
 * Both transports of a deployment behind one HTTP server, which sets each request's id, address, headers and log
 * line. tRPC has its own adapter beside Express and does not pass through it.
 */
export function createService<Services extends HttpServices>(
  deployment: Deployment<RequestContext<Services>>,
  services: Services,
): Service {
  type Entry = Prepared<RequestContext<Services>>;

  class Incoming extends IncomingMessage {
    prepared?: Entry;
  }
  class Outgoing<Request extends IncomingMessage> extends ServerResponse<Request> {}

  const ownRouter = withOwnRunner(deployment.router);
  const router = services.tracing ? tracedRouter(ownRouter, services.tracing) : ownRouter;
  const state = { isStopping: false, isClosing: false };
  const addressOf = createAddressReader(services.config.TRUSTED_PROXIES);
  const callers = services.config.NODE_ENV === 'production' ? watchCallers(services.log) : undefined;
  const cors = createCors(services.config, deployment.applicationPaths);
  const ownOrigins = new Set([new URL(services.config.BASE_URL).origin, ...allowedOrigins(services.config)]);
  const noticeOrigin = createOriginNotice(services.config, services.log);
  const fixedHeaders = securityHeaders(services.config);
  const { landing, refusal, webApps = [], resourceMetadataPath } = deployment;
  const resourceMetadata =
    resourceMetadataPath === undefined ? undefined : services.config.BASE_URL + resourceMetadataPath;
  const procedures = listProcedures(deployment.router);
  const queries = new Set(procedures.filter(({ type }) => type === 'query').map(({ name }) => name));
  const bodyLimits = new Map(procedures.map(({ name, about }) => [name, about?.maxBodyBytes]));
  const rows: RestRow<RequestContext<Services>>[] = [
    ...deployment.routes,
    ...derivedRows(procedures, deployment.routes),
    ...machineRoutes({
      ...healthHandlers(deployment, services, state),
      ...documentHandlers(
        {
          ...deployment,
          hasLanding: landing !== undefined,
          config: services.config,
          application: services.deployment.application,
        },
        () => rows,
      ),
    }),
  ];
  const rest = mountRest(router, rows, {
    preparedFor,
    landing: landing && (({ request, response, ctx }) => sendPage(response, landing({ request, ctx }))),
    refusal: refusal && (({ response, ctx }, failure) => sendPage(response, refusal({ ctx }, failure))),
    isOwnPage: (origin) => ownOrigins.has(origin),
    resourceMetadata,
  });
  sharePrototypes(rest.app, { IncomingMessage: Incoming, ServerResponse: Outgoing });

  const admission = createAdmission(services.tokens, services.cookies);
  const handlers = createHandlerTimeouts({
    timeoutMs: services.config.HANDLER_TIMEOUT_MS,
    everyMs: TIMEOUT_CHECK_MS,
    answer(request, response) {
      const { call } = preparedFor(request).ctx;
      const failure = toFailure(new AppError('unavailable', { retryAfterSeconds: 5 }));
      sendFailure(response, failure, { requestId: call.requestId, accept: undefined, path: '' });
    },
  });

  function preparedFor(request: IncomingMessage): Entry {
    if (!(request instanceof Incoming) || !request.prepared)
      throw new Error('A request reached a transport without passing the server');
    return request.prepared;
  }

  function prepare(request: Incoming, transport: 'rest' | 'trpc'): Entry {
    const { headers } = request;
    const entry: Entry = {
      route: '-',
      ctx: {
        services,
        call: {
          requestId: requestIdFrom(headerText(headers['x-request-id'])),
          transport,
          method: request.method,
          address: addressOf(request.socket.remoteAddress, headerText(headers['x-forwarded-for'])),
          userAgent: headers['user-agent'],
          hasBody: hasBody(request),
          header: (name) => headerText(headers[name]),
          facts: {},
        },
      },
    };
    request.prepared = entry;
    return entry;
  }

  function receive(request: Incoming, response: ServerResponse, unmet?: Failure): void {
    const startedAt = performance.now();
    admission.enter(request.headers, () => {
      // A closed connection gets no answer, because its end would never be reported.
      if (!request.socket.destroyed) handle(request, response, { startedAt, unmet });
    });
  }

  /** Problems of a request that do not depend on its content. */
  function unreadable(request: Incoming, target: string | undefined, isTrpc: boolean): Failure | undefined {
    const isHostMissing = request.headers.host === undefined && request.httpVersion === '1.1';
    if (target === undefined || isHostMissing) return toFailure(new AppError('invalid_input'));
    if (isTrpc && !TRPC_METHODS.has(request.method ?? '-'))
      return toFailure(new AppError('method_not_allowed'));
    return undefined;
  }

  function handle(
    request: Incoming,
    response: ServerResponse,
    { startedAt, unmet }: { startedAt: number; unmet: Failure | undefined },
  ): void {
    const target = originForm(request.url ?? '/');
    const url = target ?? '/';
    request.url = url;
    const isTrpc = url.startsWith(TRPC_PREFIX);
    const webApp = webApps.find(({ prefix }) => isBelow(prefix, url));
    const entry = prepare(request, isTrpc ? 'trpc' : 'rest');
    const { call } = entry.ctx;
    for (const [name, value] of fixedHeaders) response.setHeader(name, value);
    response.setHeader('X-Request-Id', call.requestId);
    if (state.isStopping) response.setHeader('Connection', 'close');
    const leave = handlers.enter(request, response);
    // A closed connection is no longer known here.
    const peer = callers?.isOpen === true ? request.socket.remoteAddress : undefined;
    const span = services.tracing?.begin({
      method: request.method ?? '-',
      traceparent: headerText(request.headers['traceparent']),
    });
    response.once('close', () => {
      leave();
      const seconds = (performance.now() - startedAt) / 1000;
      const status = response.writableFinished ? response.statusCode : 499;
      if (!response.writableFinished) call.facts.hasGone = true;
      const { route } = entry;
      span?.end({ route, status, requestId: call.requestId });
      services.metrics.observeRequest({
        transport: call.transport,
        route: route.includes(',') ? 'batch' : route,
        status,
        seconds,
      });
      if (state.isClosing) setImmediate(() => server.closeIdleConnections());
      if (callers?.isOpen === true && !PROBES.has(route)) {
        const forwardedFor = headerText(request.headers['x-forwarded-for']);
        callers.see({ address: call.address, peer, forwardedFor, memberId: call.facts.memberId });
      }
      services.log.request({
        requestId: call.requestId,
        transport: call.transport,
        method: request.method ?? '-',
        route,
        status,
        durationMs: Math.round(seconds * 10_000) / 10,
        address: call.address,
        memberId: call.facts.memberId,
        accountId: call.facts.accountId,
      });
    });
    const refusal = unmet ?? unreadable(request, target, isTrpc);
    noticeOrigin(request);
    const answer = () =>
      cors(request, response, () => {
        if (refusal) refuse(request, response, refusal);
        else if (isTrpc) void answerTrpc(request, response, entry, url);
        else if (webApp) answerWeb(webApp, request, response, entry);
        else rest.app(request, response);
      });
    if (span === undefined) answer();
    else span.run(answer);
  }

  function refuse(request: Incoming, response: ServerResponse, failure: Failure): void {
    if (failure.code === 'method_not_allowed') response.setHeader('Allow', 'GET, POST');
    // Sender and server may disagree about the meaning of the bytes that follow.
    else response.setHeader('Connection', 'close');
    const { requestId } = preparedFor(request).ctx.call;
    sendFailure(response, failure, { requestId, accept: request.headers.accept, path: request.url ?? '/' });
  }

  function answerWeb(webApp: WebApp, request: Incoming, response: ServerResponse, entry: Entry): void {
    entry.route = webApp.prefix;
    try {
      webApp.answer(request, response);
    } catch (error) {
      const failure = toFailure(error);
      const { requestId } = entry.ctx.call;
      if (!failure.isForeseen) services.log.failure(entry.route, error, requestId);
      sendFailure(response, failure, { requestId, accept: request.headers.accept, path: request.url ?? '/' });
    }
  }

  async function answerTrpc(
    request: Incoming,
    response: ServerResponse,
    entry: Entry,
    url: string,
  ): Promise<void> {
    const mark = url.indexOf('?');
    const path = url.slice(TRPC_PREFIX.length, mark === -1 ? undefined : mark);
    entry.route = trpcCalls(deployment.router, path);
    if (services.cookies.isAsked(entry.ctx.call)) refuseStream(request.headers);
    const onError = (error: TRPCError): void => {
      const failure = toFailure(error);
      logDenied(entry.ctx, failure);
      if (!failure.isForeseen) services.log.failure(entry.route, error, entry.ctx.call.requestId);
    };
    const headersAfter = (errors: readonly TRPCError[]): [string, string][] => {
      const failures = errors.map(toFailure);
      sendCookies(response, entry.ctx, failures);
      return batchHeaders(failures, resourceMetadata);
    };
    const search = mark === -1 ? '' : url.slice(mark + 1);
    const read = queriesIn(request, { path, search }, { known: queries, limit: BATCH_LIMIT });
    if (read !== undefined) {
      try {
        await answerQueries(router, read, { ctx: entry.ctx, response, onError, headersAfter });
      } catch (error) {
        // An answer that cannot be written must not end the process.
        services.log.failure(entry.route, error, entry.ctx.call.requestId);
        response.destroy();
      }
      return;
    }
    // The adapter makes a URL of the host, and answers without our headers if it cannot. A host on the wire is in ASCII.
    const { host } = request.headers;
    if (host !== undefined && !URL.canParse(`http://${host}`)) {
      refuse(request, response, toFailure(new AppError('invalid_input')));
      return;
    }
    await nodeHTTPRequestHandler({
      router,
      req: request,
      res: response,
      path,
      createContext: () => Promise.resolve(entry.ctx),
      maxBatchSize: BATCH_LIMIT,
      maxBodySize: bodyLimits.get(path) ?? BODY_LIMIT,
      responseMeta: ({ errors, info }) => ({
        headers: new Headers([...headersAfter(errors), ...(info ? [] : UNREAD_CALLS)]),
      }),
      onError: ({ error }) => onError(error),
    });
  }

  const server = createServer(
    {
      IncomingMessage: Incoming,
      ServerResponse: Outgoing,
      headersTimeout: services.config.HEADERS_TIMEOUT_MS,
      requestTimeout: services.config.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: services.config.KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Refused here, with the headers and body of every other answer.
      requireHostHeader: false,
    },
    receive,
  );
  server.on('checkExpectation', (request: Incoming, response: ServerResponse) =>
    receive(request, response, { ...toFailure(new AppError('invalid_input')), status: 417 }),
  );
  answerUnreadable(server, {
    headers: fixedHeaders,
    log: services.log,
    addressOf: (peer) => addressOf(peer, undefined),
    responseOn: handlers.responseOn,
    cors: createPlainCors(services.config),
  });

  return {
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve(baseUrl(server.address(), host));
        });
      }),
    async stop({ drainMs = 0 } = {}) {
      state.isStopping = true;
      // Until the balancer notices, it may use any open connection, so none may be closed yet.
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      state.isClosing = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      await closed;
      handlers.close();
    },
  };
}

/** A streamed answer sends its headers before the calls have run, and so without their cookies. */
function refuseStream(headers: IncomingHttpHeaders): void {
  delete headers['trpc-accept'];
  if (headers.accept?.includes('jsonl')) delete headers.accept;
}

function baseUrl(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
