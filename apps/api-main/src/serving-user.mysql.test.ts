import { openDatabase } from '@gatehouse/db/open-database';
import { deliver, startBilling } from '@gatehouse/features/test/billing';
import { partnerClient } from '@gatehouse/features/test/partner-client';
import { stripeLife } from '@gatehouse/simulator';
import {
  createServingUser,
  createTestDatabase,
  type RunningService,
  seedTestDatabase,
  signIn,
  signInByPassword,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { jobs } from './jobs.js';

const PASSWORD = 'Analytical-Engine-1843';
const MONTH_MS = 30 * 86_400_000;

async function succeed(
  service: RunningService,
  path: string,
  request: Parameters<RunningService['send']>[1],
) {
  const response = await service.send(path, request);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Record<string, unknown>;
}

describe('a service whose MySQL user may change no table definition and no entry of the audit log', () => {
  it('works in full, and cannot change an entry of the audit log', {
    timeout: 60_000,
  }, async () => {
    await using own = await createTestDatabase('mysql');
    await seedTestDatabase(own.database);
    await using user = await createServingUser(own.url);
    const database = await openDatabase(user.url);
    await using service = await startBilling({ dialect: 'mysql', database });

    expect((await service.send('/readyz')).status).toBe(200);
    const ada = { username: 'ada', email: 'ada@lovelace.test', password: PASSWORD };
    await succeed(service, '/register', { body: ada });
    const { token } = await signInByPassword(service, ada.email, PASSWORD);
    await succeed(service, '/auth/password', {
      token,
      body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}-b` },
    });
    await succeed(service, '/forgotPassword', { body: { email: ada.email } });
    await succeed(service, '/Adminsignin', { body: { email: 'owner@acme.test' } });
    await signInByPassword(service, 'legacy@acme.test');
    await service.send('/webauthenticate', { body: { email: ada.email, password: 'wrong' } });
    const owner = await signIn(service, 'owner@acme.test');
    await succeed(service, '/RemoveSubject', { token: owner.token, accountId: 1, body: { subjectId: 1 } });
    const partner = await partnerClient(service);
    await partner.register({ email: 'byron@example.org' });
    const events = stripeLife({ accountId: 1, startMs: Date.now() - 5 * MONTH_MS, key: 'serving' }).slice(
      0,
      6,
    );
    for (const { event } of events) {
      expect((await deliver(service, { path: '/stripe_webhooks', event })).status).toBe(200);
    }
    await deliver(service, { path: '/stripe_webhooks', event: {}, secret: 'whsec_of-somebody-else' });
    for (const job of jobs) await job.run(service.services);
    await succeed(service, '/auth/logout', { token: owner.token, body: {} });
    expect(service.logLines.filter((line) => line.includes('"event":"failure"'))).toEqual([]);

    const { auditLog } = database.tables;
    const before = await own.database.select().from(auditLog);
    expect(before.length).toBeGreaterThan(3);
    for (const statement of [
      database.delete(auditLog),
      database.update(auditLog).set({ action: 'nothing' }),
    ]) {
      await expect(database.write(statement)).rejects.toMatchObject({ errno: 1142 });
    }
    expect(await own.database.select().from(auditLog)).toEqual(before);
    await database.close();
  });
});
