import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './find-free-port.js';
import { findRedis } from './find-redis.js';

/** A Redis or Valkey server for one test, on a loopback port, in memory only. */
export interface PrivateRedis extends AsyncDisposable {
  readonly url: string;
  /** Stops the server; its data is gone. */
  stop(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  /** Suspends the server: connections stay open without an answer. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

/**
 * Starts a server in memory.
 *
 * @throws Error if neither Redis nor Valkey is installed, or the server does not answer within 20 seconds
 */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const program = findRedis();
  if (program === undefined) throw new Error('Redis is not installed: redis-server is missing');
  const port = await findFreePort();
  let server = await startServer(program, port);
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.on('exit', killAtExit);
  const signal = (name: NodeJS.Signals): Promise<void> => {
    server.kill(name);
    return Promise.resolve();
  };
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async restart() {
      server = await startServer(program, port);
    },
    suspend: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async [Symbol.asyncDispose]() {
      process.off('exit', killAtExit);
      await stop();
    },
  };
}

async function startServer(program: string, port: number): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(program, settings, { stdio: 'ignore' });
  const startedMs = performance.now();
  while (!(await answers(port))) {
    if (server.exitCode !== null || performance.now() - startedMs > START_TIMEOUT_MS) {
      server.kill('SIGKILL');
      throw new Error('the private Redis did not start');
    }
    await pause(20);
  }
  return server;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const end = (isWell: boolean) => {
      socket.destroy();
      resolve(isWell);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
  });
}
