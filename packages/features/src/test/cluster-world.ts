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

/** A cluster of three databases with three services, each with a different first node. */
export interface ClusterWorld extends AsyncDisposable {
  readonly cluster: GaleraCluster;
  readonly services: readonly SpawnedService[];
  /** A handle on the last node. */
  readonly db: Database;
}

const SCHEMA = 'gatehouse';
const PROXY = fileURLToPath(new URL('../../../../deploy/proxy/haproxy-galera.cfg', import.meta.url));

/**
 * Starts the databases, the balancers with the shipped configuration, the services, and writes the
 * demonstration data.
 */
export async function startClusterWorld(): Promise<ClusterWorld> {
  const parts: AsyncDisposable[] = [];
  const dispose = async (): Promise<void> => {
    for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
  };
  const keep = <Part extends AsyncDisposable>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  try {
    const cluster = keep(await startGaleraCluster());
    const db = await openOnLastNode(cluster);
    keep({ [Symbol.asyncDispose]: () => db.close() });
    const services: SpawnedService[] = [];
    for (const first of cluster.nodes.keys()) {
      const port = await findFreePort();
      keep(await startHaproxy(PROXY, { ports: [port], variables: proxyVariables(cluster, first, port) }));
      const databaseUrl = `mysql://root@127.0.0.1:${port}/${SCHEMA}`;
      services.push(keep(await spawnService('api-main', { databaseUrl, env: ENVIRONMENT })));
    }
    return { cluster, services, db, [Symbol.asyncDispose]: dispose };
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
