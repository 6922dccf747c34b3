import { createApp } from '@gatehouse/api-main/app';
import { createTestDatabase, seedTestDatabase, startService, type TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { type LoginAnswer, loginFrom } from './login-from.js';

const wrong = (email = 'owner@acme.test') => ({ email, password: 'not-the-password' });
const right = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
const count = (answers: readonly LoginAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** Tests of the limits on logins, for each store of the counts; `env` selects the store. */
export function loginLimitsHold(dialect: TestDialect, env: () => Record<string, string>): void {
  /**
   * The queue is longer than the number of logins, so that each is counted and none is refused by the queue.
   */
  const start = () =>
    startService(createApp, {
      dialect,
      application: 'web',
      env: { PASSWORD_HASH_QUEUE: '400', ...env() },
    });

  it('throttle one member even if each guess comes from another address, and return a retry time', async () => {
    await using service = await start();
    const answers = [];
    for (let index = 0; index < 101; index += 1) {
      answers.push(await loginFrom(service, `127.0.1.${(index % 100) + 1}`, wrong()));
    }
    expect([count(answers, 401), count(answers, 429)]).toEqual([20, 81]);
    const headers = answers[100]?.headers ?? {};
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['ratelimit-policy']).toBe('"login";q=20;w=900');
    expect(headers['ratelimit']).toMatch(/^"login";r=0;t=\d+$/);
    expect((await loginFrom(service, '127.0.2.1', right)).status).toBe(429);
  });

  it('share one count for every spelling, forwarded address and endpoint, even in a burst', async () => {
    await using service = await start();
    const spellings = [
      'owner@acme.test',
      'OWNER@acme.test',
      '  owner@acme.test ',
      'Owner@Acme.Test',
      'owner＠acme.test',
      'ｏｗｎｅｒ@acme.test',
    ];
    const burst = Array.from({ length: 200 }, (_, index) =>
      loginFrom(service, '127.0.0.1', wrong(spellings[index % spellings.length]), {
        'x-forwarded-for': `10.0.0.${index}`,
      }),
    );
    const calls = Array.from({ length: 20 }, () => wrong());
    const batch = await service.send(`/trpc/${calls.map(() => 'login.web').join(',')}?batch=1`, {
      body: Object.fromEntries(calls.map((call, index) => [index, call])),
    });
    const batched = (await batch.json()) as { error: { data: { httpStatus: number } } }[];
    const statuses = [
      ...(await Promise.all(burst)).map(({ status }) => status),
      ...batched.map(({ error }) => error.data.httpStatus),
    ];
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200);
  });

  it('do not lock out the owner at a recently used address, and staff can unlock the member', async () => {
    await using service = await start();
    expect((await loginFrom(service, '127.0.3.1', right)).status).toBe(200);
    for (let index = 0; index < 25; index += 1) await loginFrom(service, '127.0.3.2', wrong());
    expect((await loginFrom(service, '127.0.3.2', right)).status).toBe(429);
    expect((await loginFrom(service, '127.0.3.1', right)).status).toBe(200);
    expect(await service.services.limits.remove('login:member:3:')).toBeGreaterThan(0);
    expect((await loginFrom(service, '127.0.3.2', right)).status).toBe(200);
  });

  it('are counted together by two nodes', async () => {
    await using own = await createTestDatabase(dialect);
    await seedTestDatabase(own.database);
    const options = { dialect, application: 'web', database: own.database, env: env() } as const;
    await using first = await startService(createApp, options);
    await using second = await startService(createApp, options);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        loginFrom(index % 2 === 0 ? first : second, '127.0.0.1', wrong()),
      ),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([20, 20]);
  });

  it('are limited per address across members, and unknown members count the same', async () => {
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: { ...env(), LOGIN_FAILURES_PER_ADDRESS: '30' },
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        loginFrom(service, '127.0.4.1', wrong(`nobody${index}@acme.test`)),
      ),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([30, 10]);
    expect((await loginFrom(service, '127.0.4.2', right)).status).toBe(200);
  });

  it('do not count right passwords', async () => {
    await using service = await start();
    for (let index = 0; index < 25; index += 1) {
      expect((await loginFrom(service, '127.0.5.1', right)).status).toBe(200);
    }
  });
}
