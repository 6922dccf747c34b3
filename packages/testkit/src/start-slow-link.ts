import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A TCP link to a loopback port that delays data. */
export interface SlowLink extends AsyncDisposable {
  readonly port: number;
  /** From now on all data is delayed by this time, in either direction. */
  setDelay(delayMs: number): void;
}

/** Opens a link to a port, without delay at first. */
export async function startSlowLink(target: number): Promise<SlowLink> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    let before: Promise<unknown> = Promise.resolve();
    const later = (act: () => void): void => {
      const dueAt = performance.now() + delayMs;
      before = before.then(() => waitUntil(dueAt)).then(act);
    };
    from.on('data', (chunk: Buffer) => later(() => void (to.destroyed || to.write(chunk))));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => void to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      later(() => void to.destroy());
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return {
    port: address.port,
    setDelay: (value) => {
      delayMs = value;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function waitUntil(dueAt: number): Promise<void> {
  const leftMs = dueAt - performance.now();
  if (leftMs > 0) await pause(leftMs);
}
