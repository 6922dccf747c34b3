import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { readProcessFigures } from '@gatehouse/testkit/operations';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const CONNECTIONS = 1_000;
/** The values of one attack. */
const SECONDS = 20;

/** The three attacks of slowhttptest: its options, and what each does. */
const ATTACKS = [
  { name: 'headers that never end', options: ['-H', '-i', '1'], path: '/auth/me' },
  { name: 'bodies that never end', options: ['-B', '-i', '1', '-s', '8192'], path: '/webauthenticate' },
  {
    name: 'answers that are never read',
    options: ['-X', '-w', '1', '-y', '16', '-n', '1', '-z', '1', '-k', '4'],
    path: '/openapi.json',
  },
];

/** Attacks a URL for some seconds. Resolves when slowhttptest has exited. */
async function attack(url: string, options: readonly string[]): Promise<void> {
  const counts = ['-c', String(CONNECTIONS), '-r', String(CONNECTIONS), '-l', String(SECONDS)];
  const program = spawn('slowhttptest', [...options, ...counts, '-p', '3', '-u', url], { stdio: 'ignore' });
  await once(program, 'exit');
}

describe('a thousand clients that are slow on purpose', () => {
  it('harm no other client', { timeout: 300_000 }, async () => {
    await using world = await createTestDatabase(dialect);
    await seedTestDatabase(world.database);
    const member = await insertTestMember(world.database, { memberships: { 3: 2 } });
    await using service = await spawnService('api-main', {
      databaseUrl: world.url,
      env: { LOG_LEVEL: 'error' },
    });
    const descriptors = async () => (await readProcessFigures(service.pid)).descriptors;
    const before = await descriptors();
    for (const { name, options, path } of ATTACKS) {
      // The connections of the last attack would hide those of this one.
      await expect.poll(descriptors, { timeout: 60_000 }).toBeLessThan(before + CONNECTIONS / 10);
      let isOver = false;
      const attacked = attack(`${service.url}${path}`, options).finally(() => {
        isOver = true;
      });
      let held = 0;
      const statuses = new Set<number>();
      const times: number[] = [];
      while (!isOver) {
        const startedAt = performance.now();
        statuses.add((await service.send('/auth/me', { token: member.token, accountId: 3 })).status);
        times.push(performance.now() - startedAt);
        held = Math.max(held, (await descriptors()) - before);
        await pause(10);
      }
      await attacked;
      const slowest = Math.round(Math.max(...times));
      const p99 = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0);
      printMeasurements(`${name} (${dialect})`, {
        held,
        probes: times.length,
        p99Ms: p99,
        slowestMs: slowest,
      });
      expect([name, ...statuses]).toEqual([name, 200]);
      expect(held).toBeGreaterThan(CONNECTIONS / 2);
      expect(p99).toBeLessThan(250);
    }
  });
});
