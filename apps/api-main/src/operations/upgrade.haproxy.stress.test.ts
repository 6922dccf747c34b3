import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '@gatehouse/auth-core';
import { startVisits } from '@gatehouse/features/test/start-visits';
import {
  createTestDatabase,
  createTestFolder,
  findFreePort,
  insertTestMember,
  printMeasurements,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
  startHammer,
  testEnvironment,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startBalancer } from '../test/start-balancer.js';

const run = promisify(execFile);
const dialect = inject('dialect');
const MAKE_TREE = fileURLToPath(new URL('../../../../deploy/production-tree', import.meta.url));

const ENVIRONMENT = { LOG_LEVEL: 'error', SHUTDOWN_DELAY_MS: '2000', TRUSTED_PROXIES: '127.0.0.1' };

const NEXT = '99.0.1';

/** What an additive migration does: a column with a default on a large table, a table, and an index. */
const MIGRATION = {
  mysql: [
    "ALTER TABLE `members` ADD `planted` varchar(16) DEFAULT 'none' NOT NULL;",
    'CREATE TABLE `planted_things` (`id` bigint AUTO_INCREMENT NOT NULL, `member_id` bigint NOT NULL, PRIMARY KEY(`id`));',
    'CREATE INDEX `planted_idx` ON `members` (`planted`);',
  ],
  libsql: [
    "ALTER TABLE `members` ADD `planted` text DEFAULT 'none' NOT NULL;",
    'CREATE TABLE `planted_things` (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `member_id` integer NOT NULL);',
    'CREATE INDEX `planted_idx` ON `members` (`planted`);',
  ],
};

/** Makes the folder of a next release from that of the present one: another version, and one migration more. */
async function makeNextRelease(present: string, next: string): Promise<void> {
  await run('cp', ['-a', present, next]);
  // A service is one bundle, and so contains a copy of the version; the command line reads that of the package.
  for (const file of ['apps/api-main/dist/main.js', 'packages/auth-core/dist/version.js']) {
    const text = await readFile(join(next, file), 'utf8');
    const changed = text.replace(/VERSION = ["'][\d.]+["']/, `VERSION = '${NEXT}'`);
    if (changed === text) throw new Error(`${file} does not contain the version`);
    await writeFile(join(next, file), changed);
  }
  for (const [name, statements] of Object.entries(MIGRATION))
    await writeFile(
      join(next, `packages/db/migrations/${name}/9999_planted.sql`),
      statements.join('--> statement-breakpoint\n'),
    );
}

async function versionOf(node: SpawnedService): Promise<unknown> {
  const response = await node.send('/healthz');
  return ((await response.json()) as { version?: unknown }).version;
}

describe('an upgrade to the next release', () => {
  it('fails no call to two nodes behind a load balancer, neither on the way there nor on the way back', {
    timeout: 900_000,
  }, async () => {
    await using folder = await createTestFolder();
    const [present, next] = [join(folder.path, 'present'), join(folder.path, 'next')];
    await run(MAKE_TREE, [present], { maxBuffer: 10_000_000 });
    await makeNextRelease(present, next);

    await using world = await createTestDatabase(dialect);
    await seedTestDatabase(world.database);
    const member = await insertTestMember(world.database, { memberships: { 3: 2 } });
    const ports = [await findFreePort(), await findFreePort()] as const;
    const start = (tree: string, port: number) =>
      spawnService('api-main', { databaseUrl: world.url, port, env: ENVIRONMENT, tree });
    const nodes = [await start(present, ports[0]), await start(present, ports[1])];
    await using balancer = await startBalancer(ports);
    await balancer.bothUp();
    const hammer = startHammer([balancer.url], { clients: 6, path: '/auth/me' });
    hammer.add({ token: member.token, accountId: 3 });
    const visits = startVisits(balancer.url, 3);
    await visits.more(5);

    const migrate = () =>
      run(process.execPath, [join(next, 'tooling/cli/dist/main.js'), 'migrate'], {
        env: { ...testEnvironment(), DATABASE_URL: world.url },
      });
    const first = await migrate();
    expect(first.stdout).toContain('9999_planted');
    await visits.more(5);

    const versions: unknown[] = [];
    const exits: (number | null)[] = [];
    // Forward, back because something was wrong, and forward again.
    for (const tree of [next, present, next])
      for (const [index, port] of ports.entries()) {
        exits.push((await nodes[index]?.stop()) ?? null);
        const node = await start(tree, port);
        nodes[index] = node;
        await balancer.bothUp();
        versions.push(await versionOf(node));
        await visits.more(5);
      }
    const report = await hammer.stop();
    const { statuses, visits: done } = await visits.stop();
    for (const node of nodes) await node.kill9();

    printMeasurements(`an upgrade, back and again behind haproxy (${dialect})`, {
      restarts: exits.length,
      guardedCalls: report.requests,
      failed: report.faults + report.refused,
      visits: done,
      statuses: JSON.stringify(statuses),
    });
    expect(versions).toEqual([NEXT, NEXT, VERSION, VERSION, NEXT, NEXT]);
    expect(exits).toEqual(Array.from({ length: 6 }, () => 0));
    expect([report.faults, report.refused]).toEqual([0, 0]);
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(report.allowed).toBeGreaterThan(500);
  });
});
