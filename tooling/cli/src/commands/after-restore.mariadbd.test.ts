import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import {
  createServingUser,
  createTestDatabase,
  seedTestDatabase,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { Command } from '../command.js';
import { afterRestore } from './backup-and-restore.js';
import { migrate } from './database.js';

async function run(command: Command, env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const code = await command.run({
    args: [],
    env,
    say: (line) => void lines.push(line),
    draw: () => undefined,
  });
  return { code, said: lines.join('\n') };
}

async function restoresIn(db: Database): Promise<number> {
  return (await listAudit(db, { action: 'database.restored' }, { limit: 9 })).length;
}

describe('after a restore into another database, after-restore', () => {
  it('settles the database that the services use, with both users', async () => {
    await using own = await createTestDatabase('mysql');
    await seedTestDatabase(own.database);
    await using user = await createServingUser(own.url);
    const env = { DATABASE_URL: user.url, MIGRATION_DATABASE_URL: own.url };
    const { code, said } = await run(afterRestore, env);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Every session of \d+ members has ended/)]);
    expect((await run(afterRestore, { DATABASE_URL: own.url })).code).toBe(0);
    expect(await restoresIn(own.database)).toBe(2);
  });

  it('changes nothing while one of the variables still names the former database', async () => {
    await using before = await createTestDatabase('mysql');
    await using restored = await createTestDatabase('mysql');
    await using user = await createServingUser(restored.url);
    const env = { DATABASE_URL: user.url, MIGRATION_DATABASE_URL: before.url };
    for (const command of [migrate, afterRestore])
      await expect(run(command, env)).rejects.toThrow(
        /^MIGRATION_DATABASE_URL names the database \w+, and DATABASE_URL/,
      );
    expect([await restoresIn(before.database), await restoresIn(restored.database)]).toEqual([0, 0]);
  });

  it('fails when the services use a database of the same name on another server', async () => {
    await using before = await createTestDatabase('mysql');
    await using server = await startPrivateMariadb();
    const restoredUrl = await server.createSchema(new URL(before.url).pathname.slice(1));
    const restored = await openDatabase(restoredUrl);
    await restored.migrate();
    const env = { DATABASE_URL: restoredUrl, MIGRATION_DATABASE_URL: before.url };
    await expect(run(afterRestore, env)).rejects.toThrow(
      'MIGRATION_DATABASE_URL and DATABASE_URL lead to different servers',
    );
    expect(await restoresIn(restored)).toBe(0);
    await restored.close();
  });
});
