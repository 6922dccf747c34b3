import { once } from 'node:events';
import { createServer, request as sendOn } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends requests on with a token, for clients that have none. */
export interface TokenProxy extends AsyncDisposable {
  readonly url: string;
  /** Where requests go from now on, and with which token. */
  sendTo(origin: string, token: string): void;
}

export async function startTokenProxy(): Promise<TokenProxy> {
  const to = { origin: '', token: '' };
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${to.token}` };
    const { method = 'GET' } = request;
    const sent = sendOn(new URL(request.url ?? '/', to.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    sendTo: (origin, token) => void Object.assign(to, { origin, token }),
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
