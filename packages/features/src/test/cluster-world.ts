import { fileURLToPath } from 'node:url';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import {
  developmentEnvironment,
  findFreePort,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { type GaleraCluster, startGaleraCluster, startHaproxy } from '@gatehouse/testkit/operations';

/** A cluster of three databases with three addresses, each with a different first node. */
interface Cluster extends AsyncDisposable {
  readonly cluster: GaleraCluster;
  readonly urls: readonly [string, ...string[]];
  /** A handle on the last node. */
  readonly db: Database;
}

/** A cluster with three services, each at another address. */
export interface ClusterWorld extends Cluster {
  readonly services: readonly SpawnedService[];
}

const SCHEMA = 'gatehouse';
const PROXY = fileURLToPath(new URL('../../../../deploy/proxy/haproxy-galera.cfg', import.meta.url));

/** Starts the databases and the balancers with the shipped configuration, and writes the demonstration data. */
export async function startCluster(): Promise<Cluster> {
  return startAll(async (keep) => {
    const cluster = keep(await startGaleraCluster());
    const db = await openOnLastNode(cluster);
    keep({ [Symbol.asyncDispose]: () => db.close() });
    const addressOf = async (first: number): Promise<string> => {
      const port = await findFreePort();
      keep(await startHaproxy(PROXY, { ports: [port], variables: proxyVariables(cluster, first, port) }));
      return `mysql://root@127.0.0.1:${port}/${SCHEMA}`;
    };
    return { cluster, db, urls: [await addressOf(0), await addressOf(1), await addressOf(2)] };
  });
}

/** Starts a cluster and its services. */
export async function startClusterWorld(): Promise<ClusterWorld> {
  return startAll(async (keep) => {
    const cluster = keep(await startCluster());
    const services: SpawnedService[] = [];
    for (const databaseUrl of cluster.urls)
      services.push(keep(await spawnService('api-main', { databaseUrl, env: ENVIRONMENT })));
    return { ...cluster, services };
  });
}

type Keep = <Part extends AsyncDisposable>(part: Part) => Part;

/** Starts something of several parts, which end with it, and also if one of them does not start. */
async function startAll<Whole extends object>(
  start: (keep: Keep) => Promise<Whole>,
): Promise<Whole & AsyncDisposable> {
  const parts: AsyncDisposable[] = [];
  const dispose = async (): Promise<void> => {
    for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
  };
  const keep: Keep = (part) => {
    parts.push(part);
    return part;
  };
  try {
    return { ...(await start(keep)), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const ENVIRONMENT = {
  ...developmentEnvironment(),
  LOG_LEVEL: 'error',
  TRUSTED_PROXIES: '127.0.0.1',
  REGISTRATIONS_PER_ADDRESS: '100000',
};

async function openOnLastNode(cluster: GaleraCluster): Promise<Database> {
  await cluster.createSchema(SCHEMA);
  const db = await openDatabase(cluster.nodes.at(-1)?.url(SCHEMA) ?? '');
  await db.migrate();
  await seedTestDatabase(db);
  return db;
}

/** Each service has a different first node, and the two others as backups. */
function proxyVariables({ nodes }: GaleraCluster, first: number, port: number): Record<string, string> {
  const node = (step: number): string => `127.0.0.1:${nodes[(first + step) % nodes.length]?.port}`;
  return {
    DATABASE_BIND: `127.0.0.1:${port}`,
    DATABASE_NODE_1: node(0),
    DATABASE_NODE_2: node(1),
    DATABASE_NODE_3: node(2),
  };
}
