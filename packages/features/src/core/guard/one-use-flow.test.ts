import { createLogger } from '@gatehouse/runtime/log/log';
import { createTestDatabase, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createServices } from '../../deployment/create-services.js';
import { beginFlow, consumeFlow, openFlow } from './one-use-flow.js';

const refused = expect.objectContaining({ code: 'invalid_challenge' });

describe('a one-use flow', () => {
  it('is accepted for its deployment, purpose and binding, for 15 minutes', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(own.database);
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = createServices({ config: testConfig(), db: own.database, log, application: 'web' });
    const startMs = Date.now();
    const at = (ms: number) => ({ ...services, now: () => startMs + ms });
    const scope = { purpose: 'emailSignIn', binding: 'a' } as const;
    const { flow, id } = beginFlow(at(0), scope, 'ada@example.com');
    const openNow = (sent = flow, how = scope as Parameters<typeof openFlow>[2]) =>
      openFlow(at(0), sent, how);

    expect(openNow()).toEqual({
      id,
      beganAtMs: startMs,
      expiresAtMs: startMs + 900_000,
      data: 'ada@example.com',
    });
    expect(openFlow(at(899_999), flow, scope).id).toBe(id);
    expect(() => openFlow(at(900_000), flow, scope)).toThrow(refused);
    expect(() => openNow(flow, { purpose: 'passkeySignIn', binding: 'a' })).toThrow(refused);
    expect(() => openNow(flow, { purpose: 'emailSignIn', binding: 'b' })).toThrow(refused);
    expect(() => openNow(flow, { purpose: 'emailSignIn' })).toThrow(refused);
    const admin = { ...services, deployment: { ...services.deployment, application: 'admin' as const } };
    expect(() => openFlow(admin, flow, scope)).toThrow(refused);
    for (const sent of ['', 'flow', `${flow.slice(0, -2)}AA`, id])
      expect(() => openNow(sent)).toThrow(refused);
  });

  it('is used up once in fifty concurrent uses', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(own.database);
    const { database: db } = own;
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = createServices({ config: testConfig(), db, log, application: 'web' });
    const scope = { purpose: 'passkeySignIn' } as const;
    const flow = openFlow(services, beginFlow(services, scope).flow, scope);
    const uses = await Promise.allSettled(
      Array.from({ length: 50 }, () => db.transaction((tx) => consumeFlow(tx, flow))),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = uses.flatMap((use) => (use.status === 'rejected' ? [use.reason as unknown] : []));
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'invalid_challenge' });
  });
});
