import { DEMONSTRATION_PASSWORD } from '@gatehouse/api-kit';
import { openDatabase } from '@gatehouse/db';
import {
  createTestDatabase,
  insertTestMember,
  printFigures,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

if (dialect === 'mysql') {
  // The embedded database runs in the service itself and cannot hang apart from it.
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
} else {
  describe('an embedded database that another process keeps locked', () => {
    it('has logins refused with 503 in time, lets guarded reads pass, and recovers by itself', async () => {
      await using own = await createTestDatabase('libsql');
      await seedTestDatabase(own.database);
      const member = await insertTestMember(own.database, { memberships: { 1: 2 } });
      await using service = await spawnService('api-main', {
        databaseUrl: own.url,
        env: { DATABASE_TIMEOUT_MS: '500', LOG_LEVEL: 'error' },
      });
      const body = { email: 'owner@acme.test', password: DEMONSTRATION_PASSWORD };
      await own.database.transaction(async (tx) => {
        await tx.insert(tx.tables.leases, { name: 'held', token: 'held', leaseUntilMs: 0, dueAtMs: 0 });
        const login = await service.send('/webauthenticate', { body });
        expect(login.status).toBe(503);
        expect(login.headers.get('retry-after')).toMatch(/^\d+$/);
        expect((await service.send('/auth/me', { token: member.token, accountId: 1 })).status).toBe(200);
      });
      expect((await service.send('/webauthenticate', { body })).status).toBe(200);
    });
  });
}
