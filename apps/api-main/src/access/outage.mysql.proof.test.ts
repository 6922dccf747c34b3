import { openDatabase } from '@gatehouse/db';
import {
  insertTestMember,
  printFigures,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

describe('a database that hangs', () => {
  it('has guarded calls refused with 503 in time, none let through, and recovers by itself', {
    timeout: 120_000,
  }, async () => {
    await using server = await startPrivateMariadb();
    const url = await server.createSchema('gatehouse');
    const db = await openDatabase(url);
    await db.migrate();
    await seedTestDatabase(db);
    const member = await insertTestMember(db, { memberships: { 1: 2 } });
    await db.close();
    await using service = await spawnService('api-main', {
      databaseUrl: url,
      env: { DATABASE_TIMEOUT_MS: '1000', LOG_LEVEL: 'error' },
    });
    const call = async () => {
      const startedAt = performance.now();
      const response = await service.send('/auth/me', { token: member.token, accountId: 1 });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        ms: performance.now() - startedAt,
      };
    };
    expect((await call()).status).toBe(200);

    await server.pause();
    const answers = (
      await Promise.all(Array.from({ length: 3 }, () => Promise.all(Array.from({ length: 20 }, call))))
    ).flat();
    const ready = await service.send('/readyz');
    server.resume();

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.every(({ retryAfter }) => retryAfter !== null)).toBe(true);
    const slowest = Math.max(...answers.map(({ ms }) => ms));
    expect(slowest).toBeLessThan(5_000);
    expect(ready.status).toBe(503);

    const resumedAt = performance.now();
    let status = 503;
    while (status !== 200 && performance.now() - resumedAt < 10_000) ({ status } = await call());
    const recoveryMs = Math.round(performance.now() - resumedAt);
    printFigures('a hung database gives 503 and recovers', { slowestMs: Math.round(slowest), recoveryMs });
    expect(status).toBe(200);
    expect(recoveryMs).toBeLessThan(5_000);
  });
});
