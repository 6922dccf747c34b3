import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { findFreePort } from './find-free-port.js';
import { findMariadb } from './find-mariadb.js';
import { startDatabaseServer } from './start-database-server.js';
import { createTestFolder } from './test-files.js';

/** A MariaDB server for one test run, on a loopback port. */
export interface PrivateMariadb extends AsyncDisposable {
  readonly port: number;
  readonly version: string;
  /** The process id of the running server. */
  readonly pid: number;
  /** The URL of a database on it. */
  url(database: string): string;
  /** Creates an empty database on it and returns its URL. */
  createSchema(name: string): Promise<string>;
  /** Queries over a separate connection; rows are arrays. */
  ask(sql: string, values?: readonly unknown[]): Promise<unknown[][]>;
  /** Opens a session that keeps its locks until it is disposed. */
  openSession(database: string): Promise<AsyncDisposable & { run(sql: string): Promise<unknown> }>;
  /** Shuts the server down cleanly. Its data stays for `restart`. */
  stop(): Promise<void>;
  /** Kills the server, like a power cut. */
  kill9(): Promise<void>;
  /** Restarts the server after `stop` or `kill9`, on the same port. */
  restart(): Promise<void>;
  /** Suspends the server: connections stay open without an answer. */
  pause(): Promise<void>;
  resume(): void;
}

/** The options of a private server. */
export interface PrivateMariadbOptions {
  /** Keeps commits on the disk, as production does. Without this the server is faster. */
  durable?: boolean;
  /** More server options, such as `--max-connections=20`. */
  settings?: readonly string[];
}

/** With the usual log of 96 MB, a server that writes pages at the pace of a disk stops its writers until the log has room. */
const FAST = [
  '--innodb-flush-log-at-trx-commit=0',
  '--sync-binlog=0',
  '--skip-innodb-doublewrite',
  '--innodb-log-file-size=256M',
  '--innodb-io-capacity=2000',
];
const DURABLE = ['--innodb-flush-log-at-trx-commit=1'];

/**
 * Installs and starts a MariaDB server in a temporary folder.
 *
 * @throws Error if MariaDB is not installed, or the server does not start within a minute
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
  const launch = () =>
    startDatabaseServer({
      program: installation.server,
      settings,
      port,
      readyWhen: { sql: 'select 1', is: '1' },
    });
  let server = await launch();

  const url = (database: string): string => `mysql://root@127.0.0.1:${port}/${database}`;
  return {
    port,
    version: installation.version,
    get pid() {
      return server.pid;
    },
    url,
    async createSchema(name) {
      const connection = await createConnection(url(''));
      await connection.query('create database ??', [name]);
      await connection.end();
      return url(name);
    },
    async ask(sql, values = []) {
      const connection = await createConnection(url(''));
      const [rows] = await connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true }, [...values]);
      await connection.end();
      return rows;
    },
    async openSession(database) {
      const connection = await createConnection(url(database));
      return {
        run: (sql) => connection.query(sql),
        [Symbol.asyncDispose]: () => Promise.resolve(connection.destroy()),
      };
    },
    stop: () => server.end('SIGTERM'),
    kill9: () => server.end('SIGKILL'),
    async restart() {
      server = await launch();
    },
    pause: () => server.pause(),
    resume: () => server.resume(),
    async [Symbol.asyncDispose]() {
      await server.end('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}
