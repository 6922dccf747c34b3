import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An application of others at an address of its own on this machine. */
export async function serveApp(app: RequestListener) {
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
