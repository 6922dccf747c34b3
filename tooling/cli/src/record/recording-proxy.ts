import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type KeptBody, keepBody } from './kept-body.js';

/** A request that was passed on, and its outcome. */
export interface PassedExchange {
  readonly atMs: number;
  readonly ms: number;
  readonly request: IncomingMessage;
  readonly requestBody: KeptBody;
  readonly answer?: IncomingMessage;
  readonly answerBody?: KeptBody;
  readonly failure?: string;
}

export interface RecordingProxy extends AsyncDisposable {
  readonly port: number;
}

export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  /** The replaced system. */
  readonly to: URL;
  /** How much of a body is kept for `passed`. */
  readonly keptBytes: number;
  /** Called for each exchange when it is over, however it ended. Must not throw. */
  passed(exchange: PassedExchange): void;
}

/** How long exchanges may continue once the proxy is asked to end. */
const GRACE_MS = 5_000;

const MAX_HEADER_BYTES = 65_536;

/**
 * Headers that are about one connection (RFC 9110, 7.6.1). The proxy has already answered `expect`, and passes no trailers on, so that Node
 * refuses to send a header that announces them.
 */
const OF_A_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'expect',
]);

/**
 * Headers that stay even if `connection` names them: without them the replaced system would read a different request from the one
 * sent.
 */
const OF_THE_MESSAGE = new Set(['content-length', 'host']);

/**
 * Passes requests on to the replaced system and its answers back, byte by byte, and reports them. It sets no time-outs: a request
 * that the system never answers stays open until the client gives up.
 * @throws {Error} if something else listens on the port
 */
export async function startRecordingProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const open = new Set<Promise<unknown>>();
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0 },
    (incoming, response) => {
      const passing = pass(options, incoming, response).catch(() => void response.destroy());
      open.add(passing);
      void passing.finally(() => open.delete(passing));
    },
  );
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A connection that cannot be accepted, because too many are open, affects only its own client.
  server.on('error', () => undefined);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await Promise.race([Promise.allSettled(open), pause(GRACE_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await Promise.allSettled(open);
      await closed;
    },
  };
}

/** Resolves when the exchange is over and has been reported. */
async function pass(
  { to, keptBytes, passed }: ProxyOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const atMs = Date.now();
  const requestBody = keepBody(incoming, keptBytes);
  let answer: IncomingMessage | undefined;
  let answerBody: (() => KeptBody) | undefined;
  let failure: string | undefined;

  // Both may break after the exchange has ended in another way.
  response.on('error', (error) => {
    failure ??= `the answer broke off: ${codeOf(error)}`;
  });
  incoming.on('error', () => undefined);
  let forwarding: ClientRequest | undefined;
  // A response that waits behind another one of the same connection does not close with it.
  const leave = () => {
    if (!response.writableFinished) failure ??= 'the client left before the answer was complete';
    forwarding?.destroy();
  };
  incoming.socket.once('close', leave);
  const done = new Promise((resolve) => {
    response.once('close', resolve);
    incoming.socket.once('close', resolve);
    response.once('close', () => incoming.socket.off('close', resolve));
  });

  const forward = () => {
    const send = to.protocol === 'https:' ? requestHttps : requestHttp;
    // A connection for each request: a reused one may just have been closed by the other side, and the client would get a refusal
    // that the replaced system never sent.
    const forwarded = send({
      protocol: to.protocol,
      hostname: to.hostname.replace(/^\[|\]$/g, ''),
      port: to.port,
      method: incoming.method,
      path: `${to.pathname.replace(/\/$/, '')}${incoming.url}`,
      headers: headersToSend(incoming),
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    forwarding = forwarded;
    forwarded.once('response', (received) => {
      answer = received;
      answerBody = keepBody(received, keptBytes);
      received.on('error', (error) => {
        failure ??= `the answer broke off: ${error.message}`;
        response.destroy();
      });
      response.sendDate = false;
      try {
        response.writeHead(received.statusCode ?? 502, received.statusMessage, passedHeaders(received));
      } catch (error) {
        failure ??= `the answer cannot be passed on: ${codeOf(error)}`;
        forwarded.destroy();
        response.destroy();
        return;
      }
      received.pipe(response);
    });
    forwarded.on('error', (error) => {
      failure ??= `the replaced system does not answer: ${codeOf(error)}`;
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response);
    });
    incoming.once('error', () => forwarded.destroy());
    response.once('close', () => {
      if (response.writableFinished) return;
      failure ??= 'the client left before the answer was complete';
      forwarded.destroy();
    });
    incoming.pipe(forwarded);
  };
  try {
    forward();
  } catch (error) {
    // Node sends less than it accepts.
    failure ??= `the request cannot be passed on: ${codeOf(error)}`;
    incoming.resume();
    refuse(response);
  }

  await done;
  incoming.socket.off('close', leave);
  passed({
    atMs,
    ms: Date.now() - atMs,
    request: incoming,
    requestBody: requestBody(),
    ...(answer === undefined ? {} : { answer }),
    ...(answerBody === undefined ? {} : { answerBody: answerBody() }),
    ...(failure === undefined ? {} : { failure }),
  });
}

function refuse(response: ServerResponse): void {
  const text = 'The replaced system does not answer.\n';
  response.writeHead(502, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The headers as they were sent, in their order and spelling, without those about the connection. */
function passedHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const passed: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const lower = name.toLowerCase();
    if (!OF_A_CONNECTION.has(lower) && (!named.has(lower) || OF_THE_MESSAGE.has(lower)))
      passed.push(name, rawHeaders[at + 1] ?? '');
  }
  return passed;
}

/** Node sends a body in chunks only if a header says so, or the method usually has one. */
function headersToSend(incoming: IncomingMessage): string[] {
  const isChunked = incoming.headers['transfer-encoding'] !== undefined;
  const passed = passedHeaders(incoming);
  return isChunked ? [...passed, 'Transfer-Encoding', 'chunked'] : passed;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
