import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { startMachineWorld } from '@gatehouse/features/test/machine-world';
import {
  findFreePort,
  printMeasurements,
  type RunningService,
  signIn,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import { startActing } from './test/start-acting.js';
import { createTestVerifier, createVerifier, isAccessRefused, isUnavailable } from './verify.js';

const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const statusOf = async (call: Promise<unknown>) => {
  const error = await thrown(call);
  return isAccessRefused(error) ? [error.status, error.code] : error;
};

/** A Fetch request as a client of the product sends it. */
const request = (headers: Record<string, string>, method = 'GET') =>
  new Request('https://product.test/invoices', { method, headers });

/** Sends like `fetch`, and counts. */
function counting() {
  let calls = 0;
  const send: typeof fetch = (input, init) => {
    calls += 1;
    return fetch(input, init);
  };
  return { fetch: send, calls: () => calls };
}

/** A server that gives configured answers, instead of the service. */
async function serveInstead(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

async function ownerOf(service: RunningService) {
  const { token } = await signIn(service, 'owner@acme.test');
  return { token };
}

describe('createVerifier', () => {
  it('says who calls, in which account, with which permissions, and at which level', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { verify } = createVerifier({ url: `${service.url}/` });
    expect(await verify(request({ token, accountid: '1' }))).toMatchObject({
      member: { id: 3, email: 'owner@acme.test' },
      account: { id: 1, name: expect.any(String) },
      role: 1,
      permissions: expect.arrayContaining(['account.manage']),
      subscription: { active: expect.any(Boolean) },
      level: 1,
      actor: null,
      key: null,
    });
    expect(await verify(request({ token }))).toMatchObject({
      member: { id: 3 },
      account: null,
      role: null,
      permissions: [],
    });
  });

  it('treats the caller as a member when an older service does not say whether it is a machine', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { verify } = createVerifier({
      url: service.url,
      async fetch(url, how) {
        const { key: _key, ...me } = (await (await fetch(url, how)).json()) as Record<string, unknown>;
        return Response.json(me);
      },
    });
    expect(await verify(request({ token }))).toHaveProperty('key', null);
  });

  it.each([
    ['a Fetch request', (sent: Record<string, string>) => request(sent)],
    ['headers', (sent: Record<string, string>) => new Headers(sent)],
    ['a Node request', (sent: Record<string, string>) => ({ method: 'GET', url: '/', headers: sent })],
    [
      'a bearer',
      (_: unknown, bearer: string) => request({ accountid: '1', authorization: `Bearer ${bearer}` }),
    ],
  ])('accepts %s', async (_, made) => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const answer = await service.send('/authenticate', {
      body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
    });
    const { token: bearer } = (await answer.json()) as { token: string };
    const { verify } = createVerifier({ url: service.url });
    const sent = made({ token, accountid: '1' }, bearer);
    expect(await verify(sent)).toMatchObject({ member: { id: 3 }, account: { id: 1 } });
  });

  it('refuses what the service refuses, and sends no request without a token', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { fetch, calls } = counting();
    const verifier = createVerifier({ url: service.url, fetch });
    const needs = verifier.require('member.list');
    expect(await verifier.verify(request({}))).toBeNull();
    expect(calls()).toBe(0);
    expect(await statusOf(needs(request({})))).toEqual([401, 'unauthorized']);
    expect(await statusOf(needs(request({ token: 'x'.repeat(300) })))).toEqual([401, 'unauthorized']);
    expect(await statusOf(needs(request({ token, accountid: '3' })))).toEqual([403, 'account_forbidden']);
    expect(await statusOf(needs(request({ token, accountid: 'one' })))).toEqual([400, 'invalid_account']);
    expect(await statusOf(needs(request({ token })))).toEqual([403, 'account_required']);
    expect((await needs(request({ token, accountid: '1' }))).member.id).toBe(3);
    const absent = verifier.require('app.invoice.read');
    expect(await statusOf(absent(request({ token, accountid: '1' })))).toEqual([403, 'permission_denied']);
    expect(await verifier.verify(request({ token, accountid: '3' }))).toBeNull();
  });

  it('sees at the next request that a session has ended', async () => {
    await using service = await start();
    const { verify } = createVerifier({ url: service.url });
    for (let round = 0; round < 5; round += 1) {
      const { token } = await ownerOf(service);
      expect(await verify(request({ token }))).not.toBeNull();
      // Calls under way are not the answer to later ones.
      const before = Promise.all([verify(request({ token })), verify(request({ token }))]);
      await service.send('/auth/logout', { token, method: 'POST' });
      expect(await verify(request({ token }))).toBeNull();
      await before;
    }
  });

  it('asks once for concurrent calls with one token, and once for each account', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { fetch, calls } = counting();
    const { verify } = createVerifier({ url: service.url, fetch });
    const all = await Promise.all(
      Array.from({ length: 50 }, () => verify(request({ token, accountid: '1' }))),
    );
    expect(new Set(all.map((each) => each?.member.id))).toEqual(new Set([3]));
    expect(calls()).toBe(1);
    const [first, second] = await Promise.all(
      [1, 2].map((id) => verify(request({ token, accountid: `${id}` }))),
    );
    expect([first?.account?.id, second?.account?.id, calls()]).toEqual([1, 2, 3]);
    await verify(request({ token, accountid: '1' }));
    expect(calls()).toBe(4);
  });

  it('caches a positive answer for the configured time, and no refusal', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { fetch, calls } = counting();
    const { verify } = createVerifier({ url: service.url, fetch, cacheMs: 3_000 });
    const me = () => verify(request({ token }));
    await me();
    await me();
    expect(calls()).toBe(1);
    await service.send('/auth/logout', { token, method: 'POST' });
    await expect.poll(me, { timeout: 20_000 }).toBeNull();
    const asked = calls();
    expect(await me()).toBeNull();
    expect(calls()).toBe(asked + 1);
    const { url } = service;
    expect(() => createVerifier({ url, cacheMs: 5001 })).toThrow(RangeError);
    expect(() => createVerifier({ url, cacheMs: Number.NaN })).toThrow(RangeError);
  });

  it.each([
    '',
    ' ',
    '/',
    'localhost:4000',
    'gatehouse',
    '//gatehouse.test',
    'http://',
    'http:gatehouse.test',
    'ftp://gatehouse.test',
    'file:///gatehouse',
    'http://gatehouse.test:99999',
    'http://gate house.test',
    'http://user:word@gatehouse.test',
    'http://gatehouse.test/?a=b',
    'http://gatehouse.test/#a',
    'undefined',
  ])('throws when it is created with the address %j, which is not the address of a service', (url) => {
    const create = () => createVerifier({ url });
    expect(create).toThrow(TypeError);
    expect(create).toThrow('`url` is the address of the main service');
  });

  it.each(['http://gatehouse.test', 'HTTPS://gatehouse.test:8443/', 'http://[::1]:4000', 'http://g/a/b/'])(
    'asks at the address %s',
    async (url) => {
      const asked: string[] = [];
      const { verify } = createVerifier({
        url,
        fetch: (input) => {
          asked.push(String(input));
          return Promise.resolve(new Response('unauthorized access', { status: 401 }));
        },
      });
      expect(await verify(request({ token: 'any' }))).toBeNull();
      expect(asked).toEqual([`${url.replace(/\/$/, '')}/auth/me`]);
    },
  );

  it('counts the age of a cached answer from the request, not from the response', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { fetch, calls } = counting();
    const slow: typeof fetch = async (...how) => {
      const answer = await fetch(...how);
      await wait(400);
      return answer;
    };
    const { verify } = createVerifier({ url: service.url, fetch: slow, cacheMs: 500 });
    const me = () => verify(request({ token }));
    expect(await me()).not.toBeNull();
    // A permission that was removed after the request is still granted until then, and no longer.
    await wait(200);
    expect(await me()).not.toBeNull();
    expect(calls()).toBe(2);
    const late = createVerifier({ url: service.url, fetch: slow, cacheMs: 100 });
    await late.verify(request({ token }));
    await late.verify(request({ token }));
    expect(calls()).toBe(4);
  });

  it('waits for the service for the configured time, also behind calls that hang', async () => {
    await using instead = await serveInstead(() => undefined);
    const { verify } = createVerifier({ url: instead.url, timeoutMs: 600 });
    const waits: number[] = [];
    const call = async () => {
      const beganMs = performance.now();
      expect(isUnavailable(await thrown(verify(request({ token: 'any' }))))).toBe(true);
      waits.push(performance.now() - beganMs);
    };
    const all: Promise<void>[] = [];
    // The first asks, the others wait for the next request, which begins when that one has failed.
    for (let at = 0; at < 8; at += 1) {
      all.push(call());
      await wait(150);
    }
    await Promise.all(all);
    expect(waits).toHaveLength(8);
    expect(Math.min(...waits)).toBeGreaterThan(590);
    expect(Math.max(...waits)).toBeLessThan(1000);
  });

  it.each<[string, RequestListener]>([
    ['a 503', (_, response) => response.writeHead(503).end('{"error":{"code":"unavailable"}}')],
    ['a page of a gateway', (_, response) => response.writeHead(200).end('<html>')],
    ['a foreign answer', (_, response) => response.writeHead(200).end('{"data":{"member":null}}')],
    ['a redirection', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1' }).end()],
    ['silence', () => undefined],
    ['a cut connection', (sent) => sent.socket.destroy()],
  ])('throws on %s, and lets nobody in', async (_, answer) => {
    await using instead = await serveInstead(answer);
    const verifier = createVerifier({ url: instead.url, timeoutMs: 300 });
    for (const call of [verifier.verify, verifier.require('member.list')]) {
      const error = await thrown(call(request({ token: 'any', accountid: '1' })));
      expect(isUnavailable(error)).toBe(true);
      expect(error).toMatchObject({ isUnavailable: true, status: 503, statusCode: 503 });
    }
  });

  it.each([400, 401, 403])(
    'throws on a %i that is not from the service, and lets nobody in',
    async (status) => {
      const bodies = [
        '<html><h1>Authorization Required</h1></html>',
        '',
        'null',
        '"unauthorized"',
        '{"message":"Unauthorized"}',
        'Unauthorized',
        '<p>unauthorized access</p>',
        '{"error":"unauthorized"}',
        '{"error":null}',
        '{"error":{"code":401,"status":"UNAUTHENTICATED"}}',
      ];
      const left = [...bodies];
      await using instead = await serveInstead((_, response) => response.writeHead(status).end(left.shift()));
      const { verify } = createVerifier({ url: instead.url });
      for (const body of bodies)
        expect([body, isUnavailable(await thrown(verify(request({ token: 'any' }))))]).toEqual([body, true]);
      expect(left).toEqual([]);
    },
  );

  it('throws while no service listens', async () => {
    const { verify } = createVerifier({ url: `http://127.0.0.1:${await findFreePort()}` });
    expect(isUnavailable(await thrown(verify(request({ token: 'any' }))))).toBe(true);
  });

  it('accepts the session cookie from its own pages, and from no other site', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { verify } = createVerifier({
      url: service.url,
      secure: true,
      origins: ['https://www.product.test'],
    });
    const cookie = `__Host-gatehouse=${token}; __Host-gatehouse-account=1`;
    const post = (headers: Record<string, string>) => verify(request({ cookie, ...headers }, 'POST'));
    expect(await verify(request({ cookie }))).toMatchObject({ account: { id: 1 } });
    expect(await verify(request({ cookie, accountid: '2' }))).toMatchObject({ account: { id: 2 } });
    expect(await post({ 'sec-fetch-site': 'same-origin' })).not.toBeNull();
    expect(await post({ origin: 'https://www.product.test', 'sec-fetch-site': 'same-site' })).not.toBeNull();
    expect(await post({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })).toBeNull();
    expect(await post({ origin: 'https://evil.test' })).toBeNull();
    expect(await verify(new Headers({ cookie, 'sec-fetch-site': 'cross-site' }))).toBeNull();
    const node = (origin: string) => ({
      method: 'POST',
      url: '/',
      headers: { cookie, origin, host: 'product.test' },
    });
    expect(await verify(node('https://product.test'))).not.toBeNull();
    expect(await verify(node('http://product.test'))).toBeNull();
  });

  it.each(['', '[', 'a b', '%', 'product.test:99999', 'product.test:x', '?', '/', '#'])(
    'accepts no cookie from a page, and does not fail, when Host is %j',
    async (host) => {
      const { fetch, calls } = counting();
      const { verify } = createVerifier({ url: 'http://127.0.0.1:9', secure: true, fetch });
      for (const origin of ['null', 'https://product.test', `https://${host}`]) {
        const headers = { cookie: '__Host-gatehouse=any', origin, host };
        expect([origin, await verify({ method: 'POST', url: '/', headers })]).toEqual([origin, null]);
      }
      expect(calls()).toBe(0);
    },
  );

  it('prefers the cookie in which staff act for a member to their own, as the service does', async () => {
    await using service = await start();
    await using world = await startActing(service);
    const { verify } = createVerifier({ url: service.url, secure: true });
    const own = `__Host-gatehouse=${world.staff.token}`;
    const acting = `__Host-gatehouse-acting=${world.acting}`;
    for (const cookie of [`${own}; ${acting}`, `${acting}; ${own}`, acting]) {
      expect(await verify(request({ cookie, accountid: '1' }))).toMatchObject({
        member: { id: 3 },
        actor: { userId: world.staff.id, readOnly: true },
      });
      const post = request({ cookie, accountid: '1', origin: 'https://product.test' }, 'POST');
      expect(await verify(post)).toBeNull();
    }
    expect(await verify(request({ cookie: `${own}; __Host-gatehouse-acting=` }))).toMatchObject({
      member: { id: world.staff.id },
      actor: null,
    });
    // A session in which staff no longer act does not fall back to what they may do themselves.
    await service.send('/auth/logout', { token: world.acting, method: 'POST' });
    expect(await verify(request({ cookie: `${own}; ${acting}` }))).toBeNull();
  });

  it('reports a machine as the caller, at level 1, even if its account requires a higher level of people', async () => {
    await using world = await startMachineWorld({ dialect: 'libsql' });
    const { id, key } = await world.newKey(['member.list']);
    const { accounts } = world.db.tables;
    await world.db.write(world.db.update(accounts).set({ requiredLevel: 3 }));
    const { verify, require: requiring } = createVerifier({ url: world.service.url });
    const sent = request({ authorization: `Bearer ${key}` });
    expect(await verify(sent)).toMatchObject({
      member: { id: world.machineId },
      account: { id: world.account1.id },
      level: 1,
      key: { keyId: id },
    });
    expect((await requiring('member.list')(sent)).permissions).toEqual(['member.list']);
  });

  it('refuses with 429 an API key that has used up its calls for the minute, not as unauthenticated', async () => {
    await using world = await startMachineWorld({ dialect: 'libsql' });
    const { key } = await world.newKey(['member.list'], { perMinute: 1 });
    const { verify, require: requiring } = createVerifier({ url: world.service.url });
    const sent = request({ authorization: `Bearer ${key}` });
    expect(await verify(sent)).toMatchObject({ member: { id: world.machineId } });
    const limited = [429, 'rate_limited'];
    await vi.waitFor(async () => expect(await statusOf(verify(sent))).toEqual(limited), 5_000);
    expect(await statusOf(requiring('member.list')(sent))).toEqual(limited);
  });

  it('refuses a session below the level of its account, and changes by staff who may only read', async () => {
    await using world = await startFactorWorld({}, 'libsql');
    const owner = await world.enrolled({ memberships: { 1: 1, 2: 1 } });
    const { token } = await world.member({ memberships: { 1: 1, 2: 1 } });
    const set = await world.main.send('/v1/accountPolicy/set', {
      token: owner.token,
      accountId: 1,
      body: { level: 2 },
    });
    expect(set.status).toBe(200);
    const verifier = createVerifier({ url: world.main.url });
    expect(await verifier.verify(request({ token: owner.token, accountid: '1' }))).toMatchObject({
      level: 2,
    });
    expect(await verifier.verify(request({ token, accountid: '2' }))).toMatchObject({ level: 1 });
    const needs = verifier.require('member.list');
    expect(await statusOf(needs(request({ token, accountid: '1' })))).toEqual([403, 'verification_required']);

    const onlyLooks: typeof fetch = async (...how) => {
      const me = (await (await fetch(...how)).json()) as object;
      return Response.json({ ...me, actor: { userId: 1, readOnly: true } });
    };
    const looking = createVerifier({ url: world.main.url, fetch: onlyLooks });
    const sent = { token, accountid: '2' };
    expect(await looking.verify(request(sent))).toMatchObject({ actor: { userId: 1 } });
    expect(await looking.verify(request(sent, 'POST'))).toBeNull();
    expect(await looking.verify(new Headers(sent))).toBeNull();
  });

  it('answers within a few milliseconds', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const { verify } = createVerifier({ url: service.url });
    const times: number[] = [];
    for (let round = 0; round < 300; round += 1) {
      const startedMs = performance.now();
      await verify(request({ token, accountid: '1' }));
      times.push(performance.now() - startedMs);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
    printMeasurements('verify of a session', { p50Ms: at(0.5), p99Ms: at(0.99) });
    expect(at(0.5)).toBeLessThan(50);
  });
});

describe('createTestVerifier', () => {
  it('knows the callers that it is given, without a service', async () => {
    const verifier = createTestVerifier({
      olivia: { member: { id: 1 }, account: { id: 7 }, permissions: ['app.invoice.read'] },
      outage: 'unavailable',
    });
    const needs = verifier.require('app.invoice.read');
    expect(await verifier.verify(request({ token: 'olivia' }))).toMatchObject({
      member: { id: 1 },
      role: null,
    });
    expect((await needs(request({ authorization: 'Bearer olivia' }))).account?.id).toBe(7);
    expect(await statusOf(verifier.require('app.invoice.write')(request({ token: 'olivia' })))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(await verifier.verify(request({ token: 'constructor' }))).toBeNull();
    expect(await verifier.verify(request({}))).toBeNull();
    expect(isUnavailable(await thrown(needs(request({ token: 'outage' }))))).toBe(true);
  });

  it('refuses changes by staff who may only read, as the real one does', async () => {
    const actor = { userId: 9, name: '', reason: '', expiresAt: '2030-01-01T00:00:00.000Z' };
    const sees = { member: { id: 1 }, account: { id: 7 }, permissions: ['app.invoice.read'] } as const;
    const verifier = createTestVerifier({
      looks: { ...sees, actor: { ...actor, readOnly: true } },
      acts: { ...sees, actor: { ...actor, readOnly: false } },
    });
    const needs = verifier.require('app.invoice.read');
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
      const looks = request({ token: 'looks' }, method);
      expect([method, (await verifier.verify(looks)) === null]).toEqual([method, isChange]);
      if (isChange) expect(await statusOf(needs(looks))).toEqual([403, 'read_only']);
      else expect((await needs(looks)).actor?.readOnly).toBe(true);
      expect((await needs(request({ token: 'acts' }, method))).actor?.userId).toBe(9);
    }
    expect(await verifier.verify(new Headers({ token: 'looks' }))).toBeNull();
  });

  it('answers every field that the real one does', async () => {
    await using service = await start();
    const { token } = await ownerOf(service);
    const real = await createVerifier({ url: service.url }).verify(request({ token, accountid: '1' }));
    const verifier = createTestVerifier({ olivia: { member: { id: 1 }, account: { id: 7 } } });
    const tested = await verifier.verify(request({ token: 'olivia' }));
    const fieldsOf = (value: object | null | undefined) => Object.keys(value ?? {}).toSorted();
    expect(fieldsOf(real?.member)).toContain('email');
    for (const read of [(each: typeof real) => each, (each: typeof real) => each?.member])
      expect(fieldsOf(read(tested))).toEqual(fieldsOf(read(real)));
    expect(fieldsOf(tested?.account)).toEqual(fieldsOf(real?.account));
  });
});
