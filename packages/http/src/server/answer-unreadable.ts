import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '@gatehouse/auth-core';
import type { Logger } from '@gatehouse/runtime/log/log';
import { requestIdFrom } from './request-headers.js';

/** From Node's parser: the last bytes it was given, which are the head of the request unless that is long. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

interface Verdict {
  readonly status: number;
  readonly code: ErrorCode;
}

/** Errors of Node's parser with a specific status; all others mean that it is not HTTP. */
const VERDICTS: Readonly<Record<string, Verdict>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'payload_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'invalid_input' },
};
const NOT_HTTP: Verdict = { status: 400, code: 'invalid_input' };
const NO_TUNNEL: Verdict = { status: 405, code: 'method_not_allowed' };

/**
 * Answers requests that cannot be parsed, have too long headers, never end, or ask for a tunnel. They get the
 * envelope, headers and log line of every other answer, and the connection is closed.
 * @param responseOn the response in progress on a connection, which may have begun
 */
export function answerUnreadable(
  server: Server,
  options: {
    headers: readonly (readonly [string, string])[];
    log: Pick<Logger, 'request'>;
    addressOf: (peer: string | undefined) => string;
    responseOn: (socket: Socket) => ServerResponse | undefined;
    cors: (origin: string | undefined) => readonly (readonly [string, string])[];
  },
): void {
  server.on('clientError', (error, socket) => {
    const { code: reason = '', rawPacket }: ParserError = error;
    // A client's idle connection: the client would take the answer for that to its next request.
    const isUnused = socket instanceof Socket && socket.bytesRead === 0;
    const isAnswerable = socket instanceof Socket && socket.writable && reason !== 'ECONNRESET' && !isUnused;
    const begun = isAnswerable ? options.responseOn(socket) : undefined;
    if (!isAnswerable || begun?.headersSent === true) {
      socket.destroy(error);
      return;
    }
    const origin = begun === undefined ? originIn(rawPacket) : begun.req.headers.origin;
    answer(socket, VERDICTS[reason] ?? NOT_HTTP, { method: '-', origin });
  });
  server.on('connect', (_request, socket) => {
    // Node no longer handles this connection's errors: an unhandled reset would end the process.
    socket.on('error', () => socket.destroy());
    if (socket instanceof Socket) refuseTunnel(socket);
    else socket.destroy();
  });

  /** Earlier requests on the connection are answered first. */
  function refuseTunnel(socket: Socket): void {
    const response = options.responseOn(socket);
    if (response !== undefined) response.once('close', () => refuseTunnel(socket));
    else if (socket.writable) answer(socket, NO_TUNNEL, { method: 'CONNECT', origin: undefined });
  }

  function answer(
    socket: Socket,
    verdict: Verdict,
    { method, origin }: { readonly method: string; readonly origin: string | undefined },
  ): void {
    const requestId = requestIdFrom(undefined);
    const headers = [...options.headers, ...options.cors(origin)];
    socket.end(answerText(verdict, requestId, headers), () => socket.destroy());
    options.log.request({
      requestId,
      transport: 'rest',
      method,
      route: '-',
      status: verdict.status,
      durationMs: 0,
      address: options.addressOf(socket.remoteAddress),
    });
  }
}

/** The origin in what could be read of the head of a request. */
function originIn(head: Buffer | undefined): string | undefined {
  return /\r\norigin:[\t ]*([^\s]+)[\t ]*\r\n/i.exec(head?.toString('latin1') ?? '')?.[1];
}

function answerText(
  { status, code }: Verdict,
  requestId: string,
  headers: readonly (readonly [string, string])[],
): string {
  const body = JSON.stringify({ status: false, message: ERRORS[code].message, error: { code }, requestId });
  const lines: (readonly [string, string])[] = [
    ...headers,
    ['X-Request-Id', requestId],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
