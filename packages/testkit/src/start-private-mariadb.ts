import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { createTestFolder } from './create-test-folder.js';
import { findFreePort } from './find-free-port.js';
import { findMariadb } from './find-mariadb.js';

/** A MariaDB server that belongs to one test run, on a loopback port. */
export interface PrivateMariadb extends AsyncDisposable {
  readonly port: number;
  readonly version: string;
  /** The process id of the server running now. */
  readonly pid: number;
  /** The URL of a database on it. */
  url(database: string): string;
  /** Makes an empty database on it and returns its URL. */
  createSchema(name: string): Promise<string>;
  /** Ends the server in order; what it holds stays for `restart`. */
  stop(): Promise<void>;
  /** Ends the server as a power cut would. */
  kill9(): Promise<void>;
  /** Starts the server again after `stop` or `kill9`, on the same port. */
  restart(): Promise<void>;
  /** Suspends the server: connections stay open and nothing answers. */
  pause(): Promise<void>;
  resume(): void;
}

/** How a private server is set up. */
export interface PrivateMariadbOptions {
  /** Keep on the disk what was committed, as production does; without it the server is faster. */
  durable?: boolean;
  /** More of the server's own options, as `--max-connections=20`. */
  settings?: readonly string[];
}

const START_TIMEOUT_MS = 30_000;

const FAST = ['--innodb-flush-log-at-trx-commit=0', '--sync-binlog=0', '--skip-innodb-doublewrite'];
const DURABLE = ['--innodb-flush-log-at-trx-commit=1'];

/**
 * Installs and starts a MariaDB server in a temporary folder.
 *
 * @throws Error where MariaDB is not installed, or the server does not start within half a minute
 */
export async function startPrivateMariadb(options: PrivateMariadbOptions = {}): Promise<PrivateMariadb> {
  const installation = await findMariadb();
  if (installation === undefined)
    throw new Error('MariaDB is not installed: mariadbd or mariadb-install-db is missing');
  const durable = options.durable ?? false;
  const folder = await createTestFolder({ onDisk: durable });
  const account = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = join(folder.path, 'data');
  const temporary = join(folder.path, 'temporary');
  await mkdir(temporary);
  await promisify(execFile)(installation.installer, [
    '--no-defaults',
    ...account,
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const port = await findFreePort();
  const settings = [
    '--no-defaults',
    ...account,
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    `--socket=${join(folder.path, 'socket')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--max-connections=500',
    '--innodb-buffer-pool-size=256M',
    ...(durable ? DURABLE : FAST),
    ...(options.settings ?? []),
  ];
  let server = await startServer(installation.server, settings, port);
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.on('exit', killAtExit);

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGCONT');
    server.kill(signal);
    await ended;
  };
  const url = (database: string): string => `mysql://root@127.0.0.1:${port}/${database}`;
  return {
    port,
    version: installation.version,
    get pid() {
      return server.pid ?? 0;
    },
    url,
    async createSchema(name) {
      const connection = await createConnection(url(''));
      await connection.query('create database ??', [name]);
      await connection.end();
      return url(name);
    },
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
    async restart() {
      server = await startServer(installation.server, settings, port);
    },
    async pause() {
      server.kill('SIGSTOP');
      while (!(await isSuspended(server.pid ?? 0))) await pause(1);
    },
    resume: () => void server.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      process.off('exit', killAtExit);
      await end('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function startServer(
  program: string,
  settings: readonly string[],
  port: number,
): Promise<ChildProcess> {
  const server = spawn(program, settings, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  const startedMs = performance.now();
  while (!(await answers(port))) {
    const ended = server.exitCode !== null || server.signalCode !== null;
    if (ended || performance.now() - startedMs > START_TIMEOUT_MS) {
      server.kill('SIGKILL');
      throw new Error(`the private MariaDB did not start:\n${log}`);
    }
    await pause(40);
  }
  return server;
}

async function answers(port: number): Promise<boolean> {
  try {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      connectTimeout: 1_000,
    });
    await connection.end();
    return true;
  } catch {
    return false;
  }
}

/** A stop signal takes effect a moment after it was sent; the state of the process is told by proc(5). */
async function isSuspended(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
