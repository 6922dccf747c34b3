import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux gives to connections and to servers on port 0, so that no other program gets one in
 * between.
 */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/** A loopback port that nothing listens on now, for a program that cannot listen on port 0. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, LAST_PORT);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  server.close();
  await once(server, 'close');
  return port;
}
