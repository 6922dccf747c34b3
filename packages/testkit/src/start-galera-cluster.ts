import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { findFreePort } from './find-free-port.js';
import { findGalera } from './find-galera.js';
import { findMariadb } from './find-mariadb.js';
import { type DatabaseServer, startDatabaseServer } from './start-database-server.js';
import { createTestFolder } from './test-files.js';

/** One server of a cluster. */
export interface GaleraNode {
  readonly port: number;
  /** The URL of a database on it. */
  url(database: string): string;
  /** Kills it, like a power cut. */
  kill9(): Promise<void>;
  /** Restarts it and waits until it has caught up with the others. */
  restart(): Promise<void>;
}

/** Three MariaDB servers on loopback that replicate to each other with Galera. */
export interface GaleraCluster extends AsyncDisposable {
  readonly nodes: readonly GaleraNode[];
  /** Creates an empty database on all nodes. */
  createSchema(name: string): Promise<void>;
}

const NODES = 3;

const SETTINGS = [
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--max-connections=300',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--wsrep-on=ON',
  '--wsrep-cluster-name=gatehouse',
  '--wsrep-sst-method=rsync',
];

/** Waits until a node has caught up with the others. */
const SYNCED = {
  sql: "select variable_value from information_schema.global_status where variable_name = 'wsrep_local_state_comment'",
  is: 'Synced',
};

interface Place {
  /** The port for clients. */
  readonly port: number;
  /** Ports for the other nodes: the group, incremental transfer, and full transfer. */
  readonly group: number;
  readonly catchUp: number;
  readonly copy: number;
}

/**
 * Starts a cluster of three in a temporary folder.
 *
 * @throws Error if MariaDB or Galera is not installed, or a node does not start within a minute
 */
export async function startGaleraCluster(): Promise<GaleraCluster> {
  const installation = await findMariadb();
  const library = findGalera();
  if (installation === undefined || library === undefined)
    throw new Error('Galera is not installed: mariadbd, libgalera_smm.so or rsync is missing');
  const folder = await createTestFolder();
  const user = process.getuid?.() === 0 ? 'mysql' : undefined;
  const account = user === undefined ? [] : [`--user=${user}`];
  const first = join(folder.path, 'node0');
  await promisify(execFile)(installation.installer, [
    '--no-defaults',
    `--datadir=${first}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  for (let index = 1; index < NODES; index += 1) {
    await cp(first, join(folder.path, `node${index}`), { recursive: true });
  }
  await mkdir(join(folder.path, 'temporary'));
  if (user !== undefined) await promisify(execFile)('chown', ['-R', user, folder.path]);

  const places = await Promise.all(Array.from({ length: NODES }, findPlace));
  const servers = new Map<number, DatabaseServer>();
  const settingsOf = (index: number, place: Place): string[] => [
    '--no-defaults',
    ...account,
    `--datadir=${join(folder.path, `node${index}`)}`,
    `--tmpdir=${join(folder.path, 'temporary')}`,
    `--socket=${join(folder.path, `socket${index}`)}`,
    `--port=${place.port}`,
    ...SETTINGS,
    `--wsrep-provider=${library}`,
    `--wsrep-cluster-address=gcomm://${places.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
    `--wsrep-node-name=node${index}`,
    `--wsrep-node-address=127.0.0.1:${place.group}`,
    `--wsrep-sst-receive-address=127.0.0.1:${place.copy}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${place.group};ist.recv_addr=127.0.0.1:${place.catchUp};gcache.size=32M`,
  ];
  const launch = async (index: number, more: readonly string[]): Promise<void> => {
    const place = placeOf(index);
    const settings = [...settingsOf(index, place), ...more];
    const start = { program: installation.server, port: place.port, settings, readyWhen: SYNCED };
    servers.set(index, await startDatabaseServer(start));
  };
  const placeOf = (index: number): Place => {
    const place = places[index];
    if (place === undefined) throw new Error(`the cluster has no node ${index}`);
    return place;
  };
  /** A killed node's own files do not show its last transaction, but its tables do. */
  const launchAgain = async (index: number): Promise<void> => {
    const { stderr } = await promisify(execFile)(installation.server, [
      ...settingsOf(index, placeOf(index)),
      '--wsrep-recover',
    ]);
    const position = /Recovered position:? ?([0-9a-f-]+:\d+)/.exec(stderr)?.[1];
    if (position === undefined) throw new Error(`node ${index} does not know its position:\n${stderr}`);
    await launch(index, [`--wsrep-start-position=${position}`]);
  };
  await launch(0, ['--wsrep-new-cluster']);
  for (let index = 1; index < NODES; index += 1) await launch(index, []);

  return {
    nodes: places.map(({ port }, index) => ({
      port,
      url: (database) => `mysql://root@127.0.0.1:${port}/${database}`,
      kill9: async () => servers.get(index)?.end('SIGKILL'),
      restart: () => launchAgain(index),
    })),
    async createSchema(name) {
      const connection = await createConnection({ host: '127.0.0.1', port: placeOf(0).port, user: 'root' });
      await connection.query('create database ??', [name]);
      await connection.end();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.values()].map((server) => server.end('SIGKILL')));
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function findPlace(): Promise<Place> {
  return {
    port: await findFreePort(),
    group: await findFreePort(),
    catchUp: await findFreePort(),
    copy: await findFreePort(),
  };
}
