import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@gatehouse/db/open-database';
import {
  blockOf,
  createTestFolder,
  insertTestMember,
  type PrivateMariadb,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { actAroundBackup, expectRestored } from '../test/restore-scenario.js';
import { runAsOperator } from '../test/run-operator.js';

const CREDENTIALS = '/etc/gatehouse/backup.cnf';
const PASSWORD = 'Cinnabar-Ferry-68';

const guide = (text: string) => blockOf('docs/operations.md', text);

async function asAdministrator(server: PrivateMariadb, statements: string): Promise<void> {
  for (const statement of statements.split(/;\n?/)) if (statement !== '') await server.ask(statement);
}

/** The URLs of the two users for a database. */
function urlsOf(server: PrivateMariadb, database: string) {
  const urlOf = (user: string) => `mysql://${user}:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
  return { databaseUrl: urlOf('gatehouse'), migrationUrl: urlOf('gatehouse_migrations') };
}

it('the commands of the guide back MariaDB up under a load of writes and restore it', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  await using server = await startPrivateMariadb();
  const credentials = join(folder.path, 'backup.cnf');
  await writeFile(
    credentials,
    `[client]\nhost=127.0.0.1\nport=${server.port}\nuser=gatehouse_migrations\npassword=${PASSWORD}\n`,
    { mode: 0o600 },
  );
  const here = (block: string) => block.replaceAll(CREDENTIALS, credentials).replaceAll('…', PASSWORD);
  await asAdministrator(server, here(guide("CREATE USER 'gatehouse_migrations'")));
  const operator = { folder: folder.path, ...urlsOf(server, 'gatehouse') };
  const { databaseUrl } = operator;
  expect(await runAsOperator('gatehouse migrate', operator)).toContain('gatehouse@% may serve');

  const db = await openDatabase(databaseUrl);
  await seedTestDatabase(db);
  await using service = await spawnService('api-main', { databaseUrl });
  let isBackedUp = false;
  let written = 0;
  const load = (async () => {
    while (!isBackedUp) {
      await insertTestMember(db, { memberships: { 1: 5 } });
      written += 1;
    }
  })();
  const tokens = await actAroundBackup(service, {
    operate: (lines) => runAsOperator(lines, operator),
    backUp: async () => {
      await runAsOperator(here(guide('mariadb-dump')), operator);
      isBackedUp = true;
      await load;
    },
  });
  expect(written).toBeGreaterThan(0);
  await db.close();
  await service.stop();

  await asAdministrator(server, guide('CREATE DATABASE gatehouse_restored'));
  await runAsOperator(here(guide('gatehouse_restored < gatehouse.dump')), operator);
  const restored = urlsOf(server, 'gatehouse_restored');
  // The doctor finds the server's settings and a password of the demonstration.
  const settle = guide('gatehouse after-restore').replace('gatehouse doctor', 'gatehouse doctor || true');
  const half = { ...operator, databaseUrl: restored.databaseUrl };
  await expect(runAsOperator(settle, half)).rejects.toMatchObject({
    stderr: expect.stringContaining('MIGRATION_DATABASE_URL names the database gatehouse,'),
  });
  const said = await runAsOperator(settle, { ...operator, ...restored });
  expect(said).toMatch(
    /gatehouse@% may serve.*Every session of \d+ members has ended.*ok {3}migrations: all applied/s,
  );
  expect(said.match(/^ok {3}rights: .*/gm)).toHaveLength(3);
  // Each member of the load was written together with the session and one membership.
  const [[unpaired] = []] = await server.ask(
    `select count(*) from gatehouse_restored.members m where m.username like 'm%' and m.first_name = 'Test'
     and not exists (select 1 from gatehouse_restored.memberships p where p.member_id = m.id)`,
  );
  expect(Number(unpaired)).toBe(0);
  await using again = await spawnService('api-main', { databaseUrl: restored.databaseUrl });
  await expectRestored(again, tokens);
});
