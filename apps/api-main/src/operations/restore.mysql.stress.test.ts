import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@gatehouse/db';
import {
  createTestFolder,
  insertTestMember,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { actAroundBackup, expectRestored } from '../test/restore-scenario.js';
import { runAsOperator } from '../test/run-operator.js';

const DOCUMENT = new URL('../../../../docs/operations.md', import.meta.url);
const CREDENTIALS = '/etc/gatehouse/backup.cnf';

/** The commands of the document, with another file for the credentials. */
async function documentedCommands(credentials: string) {
  const text = await readFile(DOCUMENT, 'utf8');
  return (name: 'backup' | 'restore' | 'settle'): string => {
    const [, commands] =
      new RegExp(`<!-- rehearsed: ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\n\`\`\``).exec(text) ?? [];
    if (commands === undefined) throw new Error(`docs/operations.md has no commands for ${name}`);
    return commands.replaceAll(CREDENTIALS, credentials);
  };
}

it('backs MariaDB up under a load of writes and restores it, by the commands of the guide', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  await using server = await startPrivateMariadb();
  const databaseUrl = await server.createSchema('gatehouse');
  const credentials = join(folder.path, 'backup.cnf');
  await writeFile(credentials, `[client]\nhost=127.0.0.1\nport=${server.port}\nuser=root\n`, { mode: 0o600 });
  const commands = await documentedCommands(credentials);
  const operator = { folder: folder.path, databaseUrl };

  const db = await openDatabase(databaseUrl);
  await db.migrate();
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
      await runAsOperator(commands('backup'), operator);
      isBackedUp = true;
      await load;
    },
  });
  expect(written).toBeGreaterThan(0);
  await db.close();
  await service.stop();

  await runAsOperator(commands('restore'), operator);
  const restoredUrl = server.url('gatehouse_restored');
  // The doctor finds the mails that were given up, and that one user does all.
  const settle = commands('settle').replace('gatehouse doctor', 'gatehouse doctor || true');
  expect(await runAsOperator(settle, { ...operator, databaseUrl: restoredUrl })).toMatch(
    /Every session of \d+ members has ended.*ok {3}migrations: all applied/s,
  );
  // Each member of the load was written together with the session and one membership.
  const [[unpaired] = []] = await server.ask(
    `select count(*) from gatehouse_restored.members m where m.username like 'm%' and m.first_name = 'Test'
     and not exists (select 1 from gatehouse_restored.memberships p where p.member_id = m.id)`,
  );
  expect(Number(unpaired)).toBe(0);
  await using restored = await spawnService('api-main', { databaseUrl: restoredUrl });
  await expectRestored(restored, tokens);
});
