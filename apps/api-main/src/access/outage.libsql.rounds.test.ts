import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { createTestDatabase, insertTestMember, seedTestDatabase, spawnService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

describe('an embedded database that another process keeps locked', () => {
  it('makes logins fail with 503 in time, lets guarded reads through, and recovers by itself', async () => {
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
