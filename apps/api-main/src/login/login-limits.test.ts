import { request } from 'node:http';
import { unlockLogins } from '@gatehouse/api-kit';
import {
  createTestDatabase,
  type RunningService,
  seedTestDatabase,
  signIn,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');
const start = (env: Record<string, string> = {}) =>
  startService(createApp, { dialect, application: 'web', env });

/** One login from a loopback address of the caller's choice. */
function loginFrom(
  service: RunningService,
  localAddress: string,
  body: { email: string; password: string },
  headers: Record<string, string> = {},
  path = '/webauthenticate',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}${path}`, {
      method: 'POST',
      localAddress,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
    });
    sent.end(JSON.stringify(body));
  });
}

const wrong = (email = 'owner@acme.test') => ({ email, password: 'not-the-password' });
const right = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('wrong passwords at one member', () => {
  it('are throttled though each comes from another address, and told when to try again', async () => {
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

  it('share one count whatever the spelling, the forwarded address and the door, also at once', async () => {
    await using service = await start();
    const spellings = ['owner@acme.test', 'OWNER@acme.test', '  owner@acme.test ', 'Owner@Acme.Test'];
    const burst = Array.from({ length: 100 }, (_, index) =>
      loginFrom(service, '127.0.0.1', wrong(spellings[index % 4]), { 'x-forwarded-for': `10.0.0.${index}` }),
    );
    const calls = Array.from({ length: 10 }, () => wrong());
    const batch = await service.send(`/trpc/${calls.map(() => 'login.web').join(',')}?batch=1`, {
      body: Object.fromEntries(calls.map((call, index) => [index, call])),
    });
    const batched = (await batch.json()) as { error: { data: { httpStatus: number } } }[];
    const statuses = [
      ...(await Promise.all(burst)).map(({ status }) => status),
      ...batched.map(({ error }) => error.data.httpStatus),
    ];
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
  });

  it('do not keep the owner out at an address used lately, and staff can unlock', async () => {
    await using service = await start();
    expect((await loginFrom(service, '127.0.3.1', right)).status).toBe(200);
    for (let index = 0; index < 25; index += 1) await loginFrom(service, '127.0.3.2', wrong());
    expect((await loginFrom(service, '127.0.3.2', right)).status).toBe(429);
    expect((await loginFrom(service, '127.0.3.1', right)).status).toBe(200);
    await unlockLogins(service.database, 3);
    expect((await loginFrom(service, '127.0.3.2', right)).status).toBe(200);
  });

  it('are counted together by two nodes', async () => {
    await using own = await createTestDatabase(dialect);
    await seedTestDatabase(own.database);
    const options = { dialect, application: 'web', database: own.database } as const;
    await using first = await startService(createApp, options);
    await using second = await startService(createApp, options);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        loginFrom(index % 2 === 0 ? first : second, '127.0.0.1', wrong()),
      ),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([20, 20]);
  });
});

describe('wrong passwords from one address', () => {
  it('are throttled across members, and members who do not exist count alike', async () => {
    await using service = await start({ LOGIN_FAILURES_PER_ADDRESS: '30' });
    const answers = [];
    for (let index = 0; index < 40; index += 1) {
      answers.push(await loginFrom(service, '127.0.4.1', wrong(`nobody${index}@acme.test`)));
    }
    expect([count(answers, 401), count(answers, 429)]).toEqual([30, 10]);
    expect((await loginFrom(service, '127.0.4.2', right)).status).toBe(200);
  });
});

describe('right passwords', () => {
  it('are not counted', async () => {
    await using service = await start();
    for (let index = 0; index < 25; index += 1) await signIn(service, 'owner@acme.test');
    expect((await signIn(service, 'owner@acme.test')).userId).toBe(3);
  });
});
