import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A failure of a request on the network. */
export type Stumble =
  /** The connection breaks before the service receives the request. */
  | 'reset'
  /** The service handles the request, and the connection breaks before the answer arrives. */
  | 'lostAnswer'
  /** A gateway answers with its own page. */
  | 'gateway'
  /** The service is busy and answers with `Retry-After`. */
  | { readonly reason: 'unavailable' | 'rate_limited'; readonly retryAfterSeconds: number };

/** A proxy to a service that makes the next requests fail, in order. */
export interface StumblingProxy extends AsyncDisposable {
  readonly url: string;
  readonly stumbles: Stumble[];
  /** The time of each request in milliseconds, with its path. */
  readonly requests: { readonly atMs: number; readonly path: string }[];
}

/** Starts it on a free port of this machine. */
export async function startStumblingProxy(target: string): Promise<StumblingProxy> {
  const stumbles: Stumble[] = [];
  const requests: { atMs: number; path: string }[] = [];
  const server = createServer((incoming, response) => {
    requests.push({ atMs: performance.now(), path: incoming.url ?? '' });
    const stumble = stumbles.shift();
    if (stumble === undefined || stumble === 'lostAnswer') forward(target, incoming, response, stumble);
    else if (stumble === 'reset') incoming.socket.destroy();
    else if (stumble === 'gateway') {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    } else refuse(stumble, incoming, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stumbles,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  stumble: 'lostAnswer' | undefined,
): void {
  const { method, headers, url } = incoming;
  const outgoing = request(`${target}${url}`, { method, headers }, (answer) => {
    if (stumble === 'lostAnswer') {
      answer.resume().once('end', () => incoming.socket.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  outgoing.once('error', () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}

function refuse(
  { reason, retryAfterSeconds }: Exclude<Stumble, string>,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const httpStatus = reason === 'unavailable' ? 503 : 429;
  const error = {
    message: 'Please come back.',
    code: -32603,
    data: { code: 'SERVICE_UNAVAILABLE', httpStatus, reason, retryAfterSeconds },
  };
  const calls = url.split('?')[0]?.split(',') ?? [];
  response
    .writeHead(httpStatus, { 'Content-Type': 'application/json', 'Retry-After': String(retryAfterSeconds) })
    .end(JSON.stringify(calls.map(() => ({ error }))));
}
