import { openDatabase } from '@gatehouse/db/open-database';
import {
  createTestFolder,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  signInByPassword,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

/** A database that can lose power together with the service. */
async function durableDatabase() {
  if (dialect === 'mysql') {
    const server = await startPrivateMariadb({ durable: true });
    return {
      url: await server.createSchema('gatehouse'),
      cut: () => server.kill9(),
      restore: () => server.restart(),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const folder = await createTestFolder({ onDisk: true });
  return {
    url: `file:${folder.path}/gatehouse.db`,
    cut: () => Promise.resolve(),
    restore: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function isAlive(service: SpawnedService, token: string): Promise<boolean> {
  const response = await service.send('/auth/me', { token });
  expect([200, 401]).toContain(response.status);
  return response.status === 200;
}

describe('a power cut right after a logout was answered', () => {
  it('does not make the token valid again', { timeout: 1_200_000 }, async () => {
    await using database = await durableDatabase();
    const db = await openDatabase(database.url);
    await db.migrate();
    await seedTestDatabase(db);
    await db.close();

    const total = rounds({ suite: 2, stress: 50 });
    const dead: string[] = [];
    for (let round = 0; round < total; round += 1) {
      await using service = await spawnService('api-main', { databaseUrl: database.url });
      const stayed = await Promise.all(dead.slice(-5).map((token) => isAlive(service, token)));
      expect(stayed).not.toContain(true);
      const { token } = await signInByPassword(service, 'owner@acme.test');
      expect(await isAlive(service, token)).toBe(true);
      const logout = await service.send('/auth/logout', { method: 'POST', token });
      expect(logout.status).toBe(200);
      await Promise.all([service.kill9(), database.cut()]);
      dead.push(token);
      await database.restore();
    }

    await using last = await spawnService('api-main', { databaseUrl: database.url });
    const alive = (await Promise.all(dead.map((token) => isAlive(last, token)))).filter((each) => each);
    printMeasurements(`a power cut brings no token back (${dialect})`, {
      rounds: total,
      alive: alive.length,
    });
    expect(alive).toEqual([]);
  });
});
