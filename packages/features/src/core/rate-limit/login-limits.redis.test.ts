// @module-tag slow

import { createApp } from '@gatehouse/api-main/app';
import {
  createTestDatabase,
  type PrivateRedis,
  type RunningService,
  seedTestDatabase,
  signInByPassword,
  startPrivateRedis,
  startService,
} from '@gatehouse/testkit';
import { afterAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { mailLimitError } from '../../mail/limit-mails.js';
import { failuresInARowHold } from '../../test/failures-in-a-row-hold.js';
import { loginFrom } from '../../test/login-from.js';
import { loginLimitsHold } from '../../test/login-limits-hold.js';

const dialect = inject('dialect');
const servers: PrivateRedis[] = [];

let REDIS_URL = '';

async function startRedis(): Promise<PrivateRedis> {
  const server = await startPrivateRedis();
  servers.push(server);
  REDIS_URL = server.url;
  return server;
}

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

describe('the limits on logins, counted in Redis', () => {
  beforeEach(async () => void (await startRedis()));
  loginLimitsHold(dialect, () => ({ REDIS_URL }));
});

describe('wrong passwords in a row, where the windows are counted in Redis', () => {
  beforeEach(async () => void (await startRedis()));
  failuresInARowHold(dialect, () => ({ REDIS_URL }));
});

it('the limit on mails to one address holds on two nodes together, and tells staff the retry time', async () => {
  await startRedis();
  await using world = await createTestDatabase(dialect);
  const { database } = world;
  await seedTestDatabase(database);
  const begin = () => startService(createApp, { dialect, application: 'web', database, env: { REDIS_URL } });
  await using one = await begin();
  await using two = await begin();
  const body = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };
  const { token } = (await (await one.send('/register', { body })).json()) as { token: string };
  const again = (service: RunningService) => service.send('/auth/resendConfirmation', { token, body: {} });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => again(turn % 2 ? one : two)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const mails = await database.select().from(database.tables.mailOutbox);
  expect(mails.filter(({ state }) => state === 'pending')).toHaveLength(5);
  expect(mails.filter(({ state }) => state === 'held')).toHaveLength(16);
  const mail = { kind: 'activation', to: body.email, name: 'activation-mail' } as const;
  for (const { services } of [one, two])
    expect((await mailLimitError(services, mail)).retryAfterSeconds).toBeGreaterThan(3000);
});

const wrong = { email: 'owner@acme.test', password: 'not-the-password' };

describe('a Redis server that is down', () => {
  it.each([
    ['gone', (redis: PrivateRedis) => redis.stop(), (redis: PrivateRedis) => redis.restart()],
    ['hung', (redis: PrivateRedis) => redis.suspend(), (redis: PrivateRedis) => redis.resume()],
  ])(
    'makes each node count by itself while it is %s, and is used again afterwards',
    async (_, away, back) => {
      const redis = await startRedis();
      await using service = await startService(createApp, {
        dialect,
        application: 'web',
        env: { REDIS_URL },
      });
      await vi.waitFor(() => expect(service.services.limits.isShared()).toBe(true), { timeout: 10_000 });
      await away(redis);
      const answers = [];
      for (let index = 0; index < 30; index += 1) answers.push(await loginFrom(service, '127.0.6.1', wrong));
      const statuses = answers.map(({ status }) => status);
      expect([statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length]).toEqual([
        20, 10,
      ]);
      expect(service.services.limits.isShared()).toBe(false);
      const isLogged = (event: string) => service.logLines.some((line) => line.includes(`"${event}"`));
      // Redis is away once the client has tried to reach it again.
      await vi.waitFor(() => expect(isLogged('redis.away')).toBe(true), { timeout: 10_000 });
      expect(await signInByPassword(service, 'owner@birch.test')).toMatchObject({ userId: 8 });
      await back(redis);
      await vi.waitFor(() => expect(service.services.limits.isShared()).toBe(true), { timeout: 10_000 });
      expect((await loginFrom(service, '127.0.6.2', wrong)).status).toBe(401);
      expect(isLogged('redis.back')).toBe(true);
    },
  );

  it('clears only the requested counts', async () => {
    const redis = await startRedis();
    await using service = await startService(createApp, { dialect, application: 'web', env: { REDIS_URL } });
    const { limits } = service.services;
    await redis.stop();
    const consume = (key: string) => limits.consume({ key, most: 1, windowMs: 60_000 });
    for (const key of ['login:one:a', 'login:one:b', 'login:other'])
      expect([await consume(key), await consume(key)]).toMatchObject([
        { isAllowed: true },
        { isAllowed: false },
      ]);
    expect(await limits.remove('login:one:')).toBe(2);
    expect(await consume('login:one:a')).toEqual({ isAllowed: true });
    expect(await consume('login:other')).toMatchObject({ isAllowed: false });
    await redis.restart();
  });

  it('holds no database lock during a call', async () => {
    const redis = await startRedis();
    await using service = await startService(createApp, { dialect, application: 'web', env: { REDIS_URL } });
    const together = vi.spyOn(service.services.db, 'together');
    await redis.suspend();
    expect((await loginFrom(service, '127.0.6.3', wrong)).status).toBe(401);
    expect(await signInByPassword(service, 'owner@birch.test')).toMatchObject({ userId: 8 });
    expect(together).not.toHaveBeenCalled();
    await redis.resume();
  });
});
