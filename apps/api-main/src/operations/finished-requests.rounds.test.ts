import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  signInByPassword,
  spawnService,
  startHammer,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const METRICS_TOKEN = 'metrics-token-0123456789';
const CALLERS = 8;
const CALLS_OF_EACH = 250;
/**
 * How much a call may add to the old generation for caches or compiled code. A request itself has ten times
 * as much.
 */
const MAX_BYTES_PER_CALL = 3_000;

/** The options of the image and the units. */
const MEMORY_SETTINGS = '--max-semi-space-size=16 --max-old-space-size=256';
const WARM_UP_CALLS = 10_000;
const MEASURED_CALLS = 15_000;
/** There were five and more after some starts, in which V8 put the objects of a request into the old generation. */
const MOST_COLLECTIONS = 2;

async function figuresOf(service: SpawnedService) {
  const text = await (await service.send('/metrics', { bearer: METRICS_TOKEN })).text();
  const lines = text.split('\n').map((line) => line.split(' '));
  const figure = (name: string) => Number(lines.find(([its]) => its === name)?.[1] ?? 0);
  return {
    oldBytes: figure('nodejs_heap_space_size_used_bytes{space="old"}'),
    collections: figure('nodejs_gc_duration_seconds_count{kind="major"}'),
  };
}

describe('a finished request', () => {
  it("leaves no object in V8's old generation", async () => {
    await using test = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(test.database);
    await using service = await spawnService('api-main', {
      databaseUrl: test.url,
      env: { METRICS_TOKEN, LOG_LEVEL: 'warn' },
    });
    const { token } = await signInByPassword(service, 'owner@acme.test');
    const call = async () => {
      const response = await service.send('/getAllMemberslist', { token, accountId: 1 });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    };
    const callAgainAndAgain = () =>
      Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (let made = 0; made < CALLS_OF_EACH; made += 1) await call();
        }),
      );

    await callAgainAndAgain();
    const before = await figuresOf(service);
    await callAgainAndAgain();
    const after = await figuresOf(service);
    expect(before.oldBytes).toBeGreaterThan(0);
    expect(after.collections - before.collections).toBeLessThanOrEqual(1);
    expect(after.oldBytes - before.oldBytes).toBeLessThan(CALLERS * CALLS_OF_EACH * MAX_BYTES_PER_CALL);
  });

  it('causes no full garbage collection, in any process', {
    timeout: 300_000,
  }, async () => {
    await using test = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(test.database);
    const { token } = await insertTestMember(test.database, { memberships: { 3: 2 } });
    const starts = rounds({ suite: 2, stress: 20 });
    const collections: number[] = [];
    for (let start = 0; start < starts; start += 1) {
      await using service = await spawnService('api-main', {
        databaseUrl: test.url,
        env: { METRICS_TOKEN, LOG_LEVEL: 'error', NODE_OPTIONS: MEMORY_SETTINGS },
      });
      const hammer = startHammer([service.url], { clients: 32, path: '/auth/me' });
      hammer.add({ token, accountId: 3 });
      await hammer.requests(WARM_UP_CALLS);
      const before = await figuresOf(service);
      await hammer.requests(MEASURED_CALLS);
      const after = await figuresOf(service);
      await hammer.stop();
      collections.push(after.collections - before.collections);
    }
    printMeasurements(`full collections in ${MEASURED_CALLS} calls`, {
      starts,
      most: Math.max(...collections),
    });
    expect(collections.filter((count) => count > MOST_COLLECTIONS)).toEqual([]);
  });
});
