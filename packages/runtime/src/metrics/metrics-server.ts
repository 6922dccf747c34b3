import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './create-metrics.js';

const TIMEOUT_MS = 5_000;

/**
 * Serves the metrics on a separate port, without a token and not through the balancer. Resolves once it
 * listens.
 */
export function startMetricsServer(
  metrics: Metrics,
  address: { host: string; port: number },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const { contentType, text } = await metrics.render();
    response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
  };
  const server = createServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS },
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port tells it so
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
