import { connect } from 'node:net';

const METHODS =
  'GET POST HEAD OPTIONS PUT PATCH DELETE TRACE TRACK CONNECT PROPFIND PURGE QUERY M-SEARCH FOO get'.split(
    ' ',
  );

const TARGETS = [
  '/',
  '/healthz',
  '/nothing',
  '/trpc',
  '/trpc/',
  '/trpc/x',
  '/trpc/%',
  '/trpc/x?input=%',
  '/trpc/x?batch=1&input=[',
  '/trpc/a,b?batch=1',
  '/trpc//[',
  '//trpc/x',
  'http://[',
  'http://[/trpc/x',
  'http://',
  'http://a:b/',
  'http://a',
  'http://a/trpc/x',
  'http://a/healthz',
  'https://a?x',
  'ftp://a/',
  '*',
  '?',
  'foo',
  'a:1',
  '//[',
  '///',
  '/%',
  '/%00',
  '/%ff',
  '/\\',
  '/\u00e9',
  '/healthz#x',
];

const HEADERS = [
  '',
  'Host:',
  'Host: [',
  'Host: a b',
  'Host: a\r\nHost: b',
  'Host: a/b?c#',
  'Host: a\r\nExpect: foo',
  'Host: a\r\nExpect:',
  'Host: a\r\nExpect: 100-continue',
  'Host: a\r\nConnection: upgrade\r\nUpgrade: websocket',
  'Host: a\r\nConnection: upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x',
  'Host: a\r\nContent-Length: 1\r\nContent-Length: 2',
  'Host: a\r\nContent-Length: 0, 0',
  'Host: a\r\nContent-Length: -1',
  'Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
  'Host: a\r\nTransfer-Encoding: foo',
  'Host: a\r\nTransfer-Encoding: chunked, foo',
  'Host: a\r\nX: \u0000',
  'Host: a\r\nX\u00e9: 1',
  'Host: a\r\nX : 1',
  'Host: a\r\n: 1',
  'Host: a\r\n folded: 1',
  'Host: a\r\nContent-Type: \u00ff',
  'Host: a\r\nContent-Encoding: gzip',
  'Host: a\r\nX-Request-Id: \u00e9',
  'Host: a\r\nX-Forwarded-For: \u00e9, ,',
  'Host: a\r\nOrigin: \u00e9',
  'Host: a\r\nAccept: application/problem+json',
];

const LINES = ['GET /healthz', 'POST /trpc/x', 'GET /trpc/x', 'OPTIONS /nothing', 'TRACE /trpc/x'];

const OTHERS = [
  'GET /healthz\r\n\r\n',
  'GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n',
  'GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/1.1 \r\nHost: a\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
  '\u0000\r\n\r\n',
  'POST /trpc/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'POST /trpc/x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{X',
  'POST /auth/logout HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'GET /healthz HTTP/1.0\r\n\r\n',
];

/**
 * Requests that no normal client sends: every method with every target, unusual headers, and input that is
 * not HTTP.
 */
export const RAW_REQUESTS: readonly string[] = [
  ...METHODS.flatMap((method) =>
    TARGETS.map((target) => `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
  ),
  ...LINES.flatMap((line) =>
    HEADERS.map((header) => `${line} HTTP/1.1\r\nConnection: close\r\n${header && `${header}\r\n`}\r\n`),
  ),
  ...OTHERS,
];

/** Bodies that are sent instead of the envelope, byte for byte. */
const PLAIN_BODIES = ['unauthorized access', ''];

/**
 * The flaw of an answer to a raw request; undefined if none. It must not be a 5xx, and must have the common
 * headers. A refusal must be the envelope with the header's request id, or tRPC's form of it.
 */
export function rawAnswerFlaw(request: string, whole: string): string | undefined {
  const answer = whole.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!(status >= 200 && status < 500)) return `answered ${head.split('\r\n', 1)[0] || 'nothing'}`;
  const requestId = headerOf(head, 'x-request-id');
  if (requestId === undefined) return 'has no X-Request-Id';
  if (headerOf(head, 'x-content-type-options') !== 'nosniff') return 'has no security headers';
  if (status < 400 || request.startsWith('HEAD')) return undefined;
  const body = answer.slice(end + 4);
  if (body !== '' && headerOf(head, 'content-type') === undefined) return 'has no Content-Type';
  if (PLAIN_BODIES.includes(body) && [401, 403].includes(status)) return undefined;
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  if (json.includes('"reason":')) return undefined;
  if (!json.includes(`"requestId":"${requestId}"`)) return `has no envelope: ${body.slice(0, 200)}`;
  return undefined;
}

function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
}

const IDLE_MS = 2_000;

/**
 * Writes bytes to a service unchanged. Resolves to everything it returns until the connection closes or is
 * silent for two seconds.
 */
export function sendRaw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}
