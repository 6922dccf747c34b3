import { createMainClient, memoryStore } from '@gatehouse/client-sdk';
import {
  createTestDatabase,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
  type TestDialect,
} from '@gatehouse/testkit';

/**
 * `pnpm test:smoke 24`: the built services, run by this Node, sign a member in, answer a refresh, answer a call and sign out, on
 * both databases. It fails if this Node is not the named one.
 */
const [wanted = ''] = process.argv.slice(2);
if (!process.versions.node.startsWith(`${wanted}.`))
  throw new Error(`this is Node ${process.versions.node}, not ${wanted || 'the one that was to be named'}`);

const owner = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

async function smoke(dialect: TestDialect): Promise<void> {
  await using test = await createTestDatabase(dialect);
  await seedTestDatabase(test.database);
  await using main = await spawnService('api-main', { databaseUrl: test.url });
  await using admin = await spawnService('api-admin', {
    databaseUrl: test.url,
    env: { BASE_URL: 'http://127.0.0.1:4001', MAIN_URL: main.url },
  });
  demand((await admin.send('/readyz')).status === 200, 'api-admin is not ready');
  const client = createMainClient({ url: main.url, store: memoryStore() });
  const { userId } = await client.signIn(owner);
  const { token } = client;
  await client.api.session.refresh.mutate();
  demand(client.token === token, 'a token as young as this one is refreshed');
  const me = await client.withAccount(1).api.session.me.query();
  demand(me.member.id === userId, 'session.me is somebody else');
  await client.signOut();
  const refused = await main.send('/auth/me', { token: token ?? '' });
  demand(refused.status === 401, `after signing out a call is answered by ${refused.status}`);
  demand((await main.stop()) === 0 && (await admin.stop()) === 0, 'a service did not stop by itself');
}

await using server = await startPrivateMariadb();
process.env['TEST_MYSQL_URL'] = server.url('');
for (const dialect of ['libsql', 'mysql'] as const) {
  await smoke(dialect);
  console.log(
    `Node ${process.versions.node}, ${dialect}: signed in, asked for a refresh, called, signed out`,
  );
}
