import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpFile } from '@gatehouse/db/backup/back-up-file';
import { embeddedPath } from '@gatehouse/db/open-options';
import { createTestDatabase, createTestFolder, seedTestDatabase, spawnService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { actAroundBackup, expectRestored } from '../test/restore-scenario.js';
import { runAsOperator } from '../test/run-operator.js';

it('a backup of the embedded database works while the service runs, and its restore ends every session', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, 'gatehouse.db');
  const databaseUrl = `file:${path}`;
  const operator = { folder: folder.path, databaseUrl };
  await using seeded = await createTestDatabase('libsql');
  await seedTestDatabase(seeded.database);
  // This process opens only the original: a closed connection keeps its lock until it is collected.
  await backUpFile(embeddedPath(seeded.url), path, { mayOverwrite: false, onProgress: () => undefined });
  await using service = await spawnService('api-main', { databaseUrl });
  const tokens = await actAroundBackup(service, {
    operate: (lines) => runAsOperator(lines, operator),
    backUp: async () => {
      expect(await runAsOperator('gatehouse backup gatehouse.backup', operator)).toMatch(
        /^Checked: \d+ members, .*\ngatehouse\.backup has [\d,]+ bytes, written and checked in \d+\.\d s\.\n$/,
      );
    },
  });
  const restoring = () => runAsOperator('gatehouse restore gatehouse.backup', operator);
  await expect(restoring()).rejects.toMatchObject({ stderr: expect.stringContaining('is in use') });
  await service.kill9();
  expect(await restoring()).toMatch(/has ended.*The former database is .*Start every service anew/s);
  expect((await readdir(folder.path)).filter((name) => /restoring|partial/.test(name))).toEqual([]);
  await using restored = await spawnService('api-main', { databaseUrl });
  await expectRestored(restored, tokens);
});
