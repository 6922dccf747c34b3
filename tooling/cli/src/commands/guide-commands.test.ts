// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createDataCipher } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { insertWebhook } from '@gatehouse/db/queries/process-webhooks';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { blockOf, createTestFolder, testEnvironment } from '@gatehouse/testkit';
import { afterEach, expect, it, vi } from 'vitest';
import { COMMANDS } from '../commands.js';
import { exportManifest } from '../export/export-manifest.js';
import { readCommands } from '../test/read-commands.js';

afterEach(() => void vi.useRealTimers());

/** An operator at a demonstration whose database is a file. */
async function sitDown() {
  const { path, ...folder } = await createTestFolder();
  const env: Record<string, string> = { ...testEnvironment(), NODE_ENV: 'development', INIT_CWD: path };
  const url = (name: string) => `file:${path}/${name}.db`;
  const db = await openDatabase(url('cli'));
  await db.migrate();
  await seedDemo(db, {
    cipher: createDataCipher({ key: env['DATA_ENCRYPTION_KEY'] ?? '' }),
    nowMs: Date.now(),
  });
  await db.close();
  const run = async ([name = '', ...args]: readonly string[], database = 'cli') => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const command = COMMANDS.find((each) => each.name === name);
    const context = { args, env: { ...env, DATABASE_URL: url(database) }, say, draw: () => undefined };
    return { code: await command?.run(context), said: said.join('\n') };
  };
  return {
    path,
    open: () => openDatabase(url('cli')),
    run,
    /** Runs the commands of a block, those of other programs last, and returns the output of ours. Each has to succeed. */
    async follow(block: string, database?: string): Promise<string[]> {
      const all: string[] = [];
      const { commands, others } = readCommands(block.replaceAll('/safe/place', path));
      for (const command of commands) {
        const { code, said } = await run(command, database);
        expect([command, code, said]).toEqual([command, 0, said]);
        all.push(said);
      }
      await promisify(execFile)('bash', ['--norc', '-eu', '-c', others], { cwd: path });
      return all;
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

it('the guide to moving out exports, and imports into a new database', async () => {
  await using operator = await sitDown();
  const guide = (text: string) => blockOf('docs/exporting.md', text);
  await operator.follow(guide('export --to /safe/place/export\n'));
  const manifest = async (folder: string) =>
    exportManifest.parse(JSON.parse(await readFile(`${operator.path}/${folder}/manifest.json`, 'utf8')));
  const shown = exportManifest.parse(JSON.parse(guide('"gatehouse-export"').replace('…', 'a'.repeat(64))));
  const { format, version, sealedWith, mac, files } = await manifest('export');
  expect({ format, version, sealedWith, mac }).toEqual({
    format: shown.format,
    version: shown.version,
    sealedWith: null,
    mac: null,
  });
  expect(Object.keys(files)).toContain('accounts.ndjson');

  const sealed = guide('export --with-secrets').replace('/safe/place/export', '/safe/place/sealed');
  const [said = ''] = await operator.follow(sealed);
  const [key = ''] = /[A-Za-z0-9_+/=-]{43,}/.exec(said) ?? [];
  await writeFile(`${operator.path}/key.txt`, key);
  await operator.follow(
    guide('--from gatehouse').replaceAll('/safe/place/export', '/safe/place/sealed'),
    'new',
  );
});

it('the guide to moving out writes a realm for Keycloak, which can be imported back with its map', async () => {
  await using operator = await sitDown();
  const guide = (text: string) => blockOf('docs/exporting.md', text);
  // Keycloak's program, which is not here, would read the file.
  await mkdir(`${operator.path}/bin`);
  await writeFile(
    `${operator.path}/bin/kc.sh`,
    '#!/bin/bash\n[ "$1 $2" = "import --file" ] && grep realm "$3"\n',
    { mode: 0o755 },
  );
  await operator.follow(guide('--format keycloak'));
  await writeFile(`${operator.path}/roles.yaml`, guide('owner: owner'));
  await operator.run(['migrate'], 'new');
  const args = ['--from', 'keycloak', '--map', 'roles.yaml', 'realm.json'];
  const { said } = await operator.run(['import', ...args], 'new');
  expect(said).toMatch(/^\d\d added/m);
});

it('the guide to partners adds, rotates and deactivates one, and links members', async () => {
  await using operator = await sitDown();
  const rows = [
    { member: { id: 4710, sid: 'mary@example.org', username: 'mary', role_type: 1 } },
    { member: { id: 4711, sid: 'ben@example.org', username: 'ben', role_type: 1 } },
    { account: { id: 17, name: 'Seventeen', ownerId: 4710 } },
    { membership: { memberId: 4710, accountId: 17, roleType: 1 } },
  ];
  await writeFile(`${operator.path}/rows.ndjson`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect(await operator.run(['import', 'rows.ndjson'])).toMatchObject({ code: 0 });
  await writeFile(`${operator.path}/members.csv`, blockOf('docs/partners.md', 'mary@example.org,17'));
  const said = await operator.follow(blockOf('docs/partners.md', 'gatehouse add-partner'));
  expect(said.at(-1)).toContain('2');
});

it('the guide to the admin service creates the first member of staff', async () => {
  await using operator = await sitDown();
  const [said] = await operator.follow(blockOf('docs/admin-service.md', 'create-personnel'));
  expect(said).toContain('Added ada@example.com');
});

it('the guide to payments lists, shows and replays deliveries', async () => {
  await using operator = await sitDown();
  const db = await operator.open();
  const row = {
    provider: 'stripe',
    endpoint: 'stripe_webhooks',
    type: 'invoice.paid',
    bodyEncoding: 'utf8',
    bodyBytes: 2,
  } as const;
  const failed = {
    ...row,
    status: 'failed',
    reason: 'fault',
    body: '{}',
    digest: 'd'.repeat(64),
    address: '192.0.2.1',
  } as const;
  await insertWebhook(db, {
    ...failed,
    receivedAtMs: Date.now(),
    eventId: 'evt_1',
    dedupeKey: 'stripe:evt_1',
  });
  await db.close();
  const said = await operator.follow(blockOf('docs/payments.md', 'webhooks show').replaceAll('4711', '1'));
  expect(said[0]).toContain('failed');
  await operator.follow(blockOf('docs/payments.md', 'billing reconcile'));
});

it('the guide to operations adds and promotes a key', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await using operator = await sitDown();
  const [add = '', promote = '', list = ''] = blockOf('docs/operations.md', 'keys promote').split('\n');
  const [added = ''] = await operator.follow(add);
  const kid = /^(\S+) is published/m.exec(added)?.[1] ?? '';
  vi.setSystemTime(Date.now() + 86_400_000);
  await operator.follow(promote.replace('<kid>', kid));
  expect(await operator.follow(list)).toEqual([expect.stringContaining(`${kid} ES256 signs`)]);
});

it('the guide to operations backs up and restores the embedded database, and writes canonical addresses', async () => {
  await using operator = await sitDown();
  const guide = (text: string) => blockOf('docs/operations.md', text);
  await operator.follow(guide('gatehouse backup gatehouse.backup'));
  const [said] = await operator.follow(guide('gatehouse restore gatehouse.backup'), 'restored');
  expect(said).toContain('is restored');
  await operator.follow(guide('canonical-addresses --apply'));
});
