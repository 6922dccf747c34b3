import type { Server } from 'node:http';

/**
 * The answer of every bare server. The parent process sends our service's answer first, so that all bodies
 * are equal.
 */
export function payloadFromParent(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('message', resolve);
  });
}

/** Listens on a free loopback port, reports it to the parent, and ends with the parent. */
export function listenAndReport(server: { listen: Server['listen']; address: Server['address'] }): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The server does not listen on a port');
    process.send?.({ port: address.port });
  });
  process.on('disconnect', () => process.exit(0));
}
