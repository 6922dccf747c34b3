import { setTimeout as pause } from 'node:timers/promises';
import { startMixedLoad } from '@gatehouse/features/test/start-mixed-load';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { readProcessFigures } from '@gatehouse/testkit/operations';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const SECONDS = 600;
/** The values of the image and the units. */
const ENVIRONMENT = {
  LOG_LEVEL: 'error',
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=256',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const MAX_MEMORY_MIB = 200;
const MAX_START_MS = 3_000;
/** Normal variation between two samples: connections opened and closed by clients and the pool. */
const DESCRIPTORS_THAT_COME_AND_GO = 20;
/**
 * How much more memory the last third of the run may use than the second: the noise of garbage collection.
 */
const MAX_GROWTH = 1.1;

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function startedInTime(program: 'api-main' | 'api-admin', databaseUrl: string) {
  const startedAt = performance.now();
  const service = await spawnService(program, { databaseUrl, env: ENVIRONMENT });
  while ((await service.send('/readyz')).status !== 200) await pause(5);
  return { service, startMs: Math.round(performance.now() - startedAt) };
}

/** Measures once a second during the load. */
async function watch(service: SpawnedService) {
  const memory: number[] = [];
  const descriptors: number[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    await pause(1_000);
    const figures = await readProcessFigures(service.pid);
    memory.push(figures.memoryMib);
    descriptors.push(figures.descriptors);
  }
  const third = Math.floor(SECONDS / 3);
  const secondThird = (values: number[]) => middle(values.slice(third, 2 * third));
  const lastThird = (values: number[]) => middle(values.slice(2 * third));
  return {
    mostMib: Math.max(...memory),
    mib: { before: secondThird(memory), now: lastThird(memory) },
    descriptors: { before: secondThird(descriptors), now: lastThird(descriptors) },
  };
}

describe('mixed load for a long time', () => {
  it('does not grow the memory or the open descriptors of either service', {
    timeout: 1_200_000,
  }, async () => {
    await using world = await createTestDatabase(dialect);
    await seedTestDatabase(world.database);
    const staff = await insertTestMember(world.database, { roleType: 0, isPersonnel: true });
    const { service: main, startMs: mainStartMs } = await startedInTime('api-main', world.url);
    await using _main = main;
    const { service: admin, startMs: adminStartMs } = await startedInTime('api-admin', world.url);
    await using _admin = admin;

    const load = startMixedLoad({ main, admin, staffToken: staff.token });
    const [ofMain, ofAdmin] = await Promise.all([watch(main), watch(admin)]);
    const statuses = await load.stop();

    printMeasurements(`mixed load (${dialect})`, {
      seconds: SECONDS,
      mainStartMs,
      adminStartMs,
      main: JSON.stringify(ofMain),
      admin: JSON.stringify(ofAdmin),
      statuses: JSON.stringify(statuses),
    });
    expect(
      Object.keys(statuses)
        .map(Number)
        .filter((status) => status === 0 || status >= 500),
    ).toEqual([]);
    expect(statuses[200] ?? 0).toBeGreaterThan(SECONDS * 10);
    for (const service of [ofMain, ofAdmin]) {
      expect(service.mostMib).toBeLessThan(MAX_MEMORY_MIB);
      expect(service.mib.now).toBeLessThan(service.mib.before * MAX_GROWTH);
      expect(service.descriptors.now).toBeLessThan(service.descriptors.before + DESCRIPTORS_THAT_COME_AND_GO);
    }
    expect(Math.max(mainStartMs, adminStartMs)).toBeLessThan(MAX_START_MS);
  });
});
