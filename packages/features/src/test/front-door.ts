import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that is known before the service behind it listens, as that of a balancer is. */
export async function openFrontDoor() {
  let behind = '';
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    const passed = send(`${behind}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo(url: string) {
      behind = url;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
