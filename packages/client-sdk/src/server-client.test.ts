import { once } from 'node:events';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import {
  createMainClient,
  isGatehouseError,
  isSecondFactorRequired,
  isUnavailable,
  isVerificationRequired,
  localStore,
  memoryStore,
  tabStore,
} from './main.js';
import {
  createAdminServerClient,
  createServerClient,
  isForeignRequest,
  requestCookies,
  type ServerClient,
} from './server.js';
import { serve, type Visitor } from './test/server-request.js';
import { startActing } from './test/start-acting.js';

const password = 'Lantern-Harbor-42';
const owner = { email: 'owner@acme.test', password };
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });

describe('the client of a request on a server', () => {
  it('signs in, keeps the session in a cookie that no script reads, acts in an account, and signs out', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    const lines = await serve(
      visitor,
      async (gatehouse, set) => {
        const signedIn = await gatehouse.signIn(owner);
        expect([signedIn.userId, 'token' in signedIn]).toEqual([3, false]);
        expect([gatehouse.isSignedIn, gatehouse.accountId]).toEqual([true, 1]);
        expect((await gatehouse.api.session.me.query()).currentAccount?.accountId).toBe(1);
        return set();
      },
      { url: service.url, secure: true },
    );
    expect(lines.map((line) => line.replace(/=[^;]*; Max-Age=\d+/, ''))).toEqual([
      '__Host-gatehouse; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-gatehouse-challenge; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-gatehouse-account; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    const token = visitor.get('__Host-gatehouse') ?? '';

    const { url } = service;
    const secure = { url, secure: true };
    await serve(
      visitor,
      async (gatehouse) => {
        gatehouse.selectAccount(2);
        return Promise.resolve();
      },
      secure,
    );
    await serve(
      visitor,
      async (gatehouse) => {
        expect((await gatehouse.api.session.me.query()).currentAccount?.accountId).toBe(2);
        expect((await gatehouse.withAccount(1).session.me.query()).currentAccount?.accountId).toBe(1);
        const refusal = await thrown(gatehouse.withAccount(3).member.list.query());
        expect(isGatehouseError(refusal, 'account_forbidden')).toBe(true);
      },
      { ...secure, isRender: true },
    );
    await serve(visitor, (gatehouse) => gatehouse.signOut(), secure);
    expect([...visitor.keys()]).toEqual([]);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
  });

  it('ends the previous session when it signs in', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    const before = visitor.get('gatehouse-dev') ?? '';
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    expect((await service.send('/auth/me', { token: before })).status).toBe(401);
    const { status } = await service.send('/auth/me', { token: visitor.get('gatehouse-dev') ?? '' });
    expect(status).toBe(200);
  });

  it('uses the session in which staff act for a member, and keeps their own underneath', async () => {
    await using service = await start();
    await using world = await startActing(service);
    const cookies = { 'gatehouse-dev': world.staff.token, 'gatehouse-dev-acting': world.acting };
    const visitor: Visitor = new Map(Object.entries(cookies));
    const whoIs = (gatehouse: ServerClient) => gatehouse.withAccount(1).session.me.query();
    const status = async (token: string) => (await service.send('/auth/me', { token })).status;
    expect(await serve(visitor, whoIs, service)).toMatchObject({
      member: { id: 3 },
      actor: { readOnly: true },
    });
    await serve(visitor, (gatehouse) => gatehouse.refresh(), service);
    expect(Object.fromEntries(visitor)).toEqual(cookies);

    visitor.set('gatehouse-dev-account', '2');
    await serve(
      visitor,
      async (gatehouse) => {
        await gatehouse.signOut();
        expect(gatehouse.isSignedIn).toBe(false);
      },
      service,
    );
    expect(await status(world.acting)).toBe(401);
    expect([...visitor.keys()]).toEqual(['gatehouse-dev', 'gatehouse-dev-account']);
    expect(await serve(visitor, whoIs, service)).toMatchObject({
      member: { id: world.staff.id },
      actor: null,
    });

    // One that the service refuses ends, too: the next request is their own.
    visitor.set('gatehouse-dev-acting', world.acting);
    const refused = await thrown(serve(visitor, whoIs, service));
    expect(isGatehouseError(refused, 'unauthorized')).toBe(true);
    expect([...visitor.keys()]).toEqual(['gatehouse-dev', 'gatehouse-dev-account']);
  });

  it.each(['signs in', 'adopts a session'])(
    'ends an impersonation when a person %s, and keeps it when that fails',
    async (how) => {
      await using service = await start();
      await using world = await startActing(service);
      const visitor: Visitor = new Map([
        ['gatehouse-dev', world.staff.token],
        ['gatehouse-dev-acting', world.acting],
      ]);
      const status = async (token: string) => (await service.send('/auth/me', { token })).status;
      const wrong = { ...owner, password: 'Wrong-Harbor-42' };
      await thrown(serve(visitor, (gatehouse) => gatehouse.signIn(wrong), service));
      expect(visitor.get('gatehouse-dev-acting')).toBe(world.acting);

      const other = createMainClient({ url: service.url, store: memoryStore() });
      await other.signIn(owner);
      await serve(
        visitor,
        async (gatehouse) => {
          if (how === 'signs in') await gatehouse.signIn(owner);
          else gatehouse.adoptSession({ token: other.token ?? '' });
        },
        service,
      );
      expect(visitor.has('gatehouse-dev-acting')).toBe(false);
      expect(visitor.get('gatehouse-dev')).not.toBe(world.staff.token);
      expect(await status(visitor.get('gatehouse-dev') ?? '')).toBe(200);
      if (how === 'signs in')
        expect([await status(world.acting), await status(world.staff.token)]).toEqual([401, 401]);
    },
  );

  it('selects no account of the previous member when it adopts a session', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    const other = createMainClient({ url: service.url, store: memoryStore() });
    await other.signIn(owner);
    const adopt = (gatehouse: ServerClient) =>
      Promise.resolve(gatehouse.adoptSession({ token: other.token ?? '' }));
    await serve(visitor, adopt, service);
    await serve(
      visitor,
      async (gatehouse) => {
        expect(gatehouse.accountId).toBeNull();
        expect((await gatehouse.api.session.me.query()).currentAccount).toBeNull();
      },
      service,
    );
  });

  it('warns once, naming both cookies, when the session is in the cookie of the other NODE_ENV', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    try {
      const isSignedIn = (secure: boolean) =>
        serve(visitor, (gatehouse) => Promise.resolve(gatehouse.isSignedIn), { url: service.url, secure });
      expect([await isSignedIn(false), warned.mock.calls]).toEqual([true, []]);
      expect([await isSignedIn(true), await isSignedIn(true)]).toEqual([false, false]);
      expect(warned.mock.calls).toEqual([
        [
          expect.stringContaining(
            'no session in the cookie __Host-gatehouse, but there is a cookie gatehouse-dev',
          ),
        ],
      ]);
      expect(String(warned.mock.calls)).not.toContain(visitor.get('gatehouse-dev'));
    } finally {
      warned.mockRestore();
    }
  });

  it('begins no session where no cookie can be set, and says where one can', async () => {
    await using service = await start();
    const asked: string[] = [];
    const send: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    const { url } = service;
    const inRender = { url, isRender: true, fetch: send };
    const error = await thrown(serve(new Map(), (gatehouse) => gatehouse.signIn(owner), inRender));
    expect(String(error)).toContain(
      'No cookie can be set here: sign in, refresh and sign out in a server action',
    );
    const cookies = { get: () => undefined };
    expect(String(await thrown(createServerClient({ url, cookies, fetch: send }).signIn(owner)))).toBe(
      String(error),
    );
    expect(asked).toEqual([]);
  });

  it('takes the second step in another request, only from the same browser', async () => {
    await using world = await startFactorWorld({}, 'libsql');
    const member = await world.enrolled();
    const { url } = world.main;
    const [visitor, stranger]: Visitor[] = [new Map(), new Map()];
    if (!visitor || !stranger) throw new Error('two');
    const refusal = await thrown(
      serve(visitor, (gatehouse) => gatehouse.signIn({ email: member.email, password }), { url }),
    );
    expect(isSecondFactorRequired(refusal)).toBe(true);
    const code = () => ({ code: member.code() });
    const none = await thrown(serve(stranger, (gatehouse) => gatehouse.continueSignIn(code()), { url }));
    expect(String(none)).toContain('No sign-in of this browser waits for a second step');
    await serve(
      visitor,
      async (gatehouse) => {
        expect(gatehouse.step?.methods).toEqual(['totp', 'backupCode']);
        const wrong = await thrown(gatehouse.continueSignIn({ code: member.wrongCode() }));
        expect(isGatehouseError(wrong, 'invalid_credentials')).toBe(true);
        expect((await gatehouse.continueSignIn(code())).level).toBe(2);
        expect(gatehouse.step).toBeNull();
      },
      { url },
    );
    // A new verification, in another request.
    world.wait(11 * 60_000);
    const asked = await thrown(serve(visitor, ({ api }) => api.totp.start.mutate(), { url }));
    if (!isVerificationRequired(asked)) throw new Error('not asked');
    expect(asked.data.verification).toEqual({
      level: 2,
      maxAgeSeconds: 600,
      methods: ['totp', 'backupCode'],
    });
    await serve(
      visitor,
      async ({ api }) => {
        await api.verification.prove.mutate(code());
        await api.totp.start.mutate();
      },
      { url },
    );
  });

  it("refreshes after half of its session's lifetime, but only where cookies can be set", async () => {
    let lagMs = 0;
    const now = () => Date.now() - lagMs;
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web', now });
    const visitor: Visitor = new Map();
    const refresh = (isRender: boolean) =>
      thrown(serve(visitor, (gatehouse) => gatehouse.refresh(), { url: service.url, isRender }));
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    expect(await refresh(false)).toBe(false);
    // A session of long ago.
    const life = JSON.parse(atob((visitor.get('gatehouse-dev') ?? '').split('.')[1] ?? '')) as Record<
      'iat' | 'exp',
      number
    >;
    lagMs = (life.exp - life.iat) * 600;
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    lagMs = 0;
    const before = visitor.get('gatehouse-dev');
    await serve(visitor, ({ api }) => api.session.me.query(), service);
    expect(String(await refresh(true))).toContain('No cookie can be set here');
    expect(visitor.get('gatehouse-dev')).toBe(before);
    // Two concurrent tabs each get a valid one, whichever their browser keeps.
    const tabs = [new Map(visitor), new Map(visitor)];
    await Promise.all(tabs.map((tab) => serve(tab, (gatehouse) => gatehouse.refresh(), service)));
    for (const token of tabs.map((tab) => tab.get('gatehouse-dev') ?? '')) {
      expect(token).not.toBe(before);
      expect((await service.send('/auth/me', { token })).status).toBe(200);
    }
    expect(await refresh(false)).toBe(true);
    expect(visitor.get('gatehouse-dev')).not.toBe(before);
    expect(await refresh(false)).toBe(false);
  });

  it('works with the admin service for staff, in cookies of another name', async () => {
    await using world = await startFactorWorld({}, 'libsql');
    const cookies = new Map<string, string>();
    const request = () =>
      createAdminServerClient({
        url: world.admin.url,
        secure: false,
        cookies: {
          get: (name) => cookies.get(name),
          set: (name, value, { maxAge }) => (maxAge === 0 ? cookies.delete(name) : cookies.set(name, value)),
        },
      });
    await request().signIn({ email: 'root@gatehouse.test', password });
    expect([...cookies.keys()]).toEqual(['gatehouse-dev-admin', 'gatehouse-dev-admin-account']);
    const staff = request();
    expect((await staff.api.session.me.query()).member.email).toBe('root@gatehouse.test');
    expect((await staff.api.member.search.query({ search: 'owner@acme' })).data[0]?.email).toBe(owner.email);
    await staff.signOut();
    expect(cookies.size).toBe(0);
  });

  it('forgets a session that the service refuses', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    await service.send('/auth/logout', { method: 'POST', token: visitor.get('gatehouse-dev') ?? '' });
    for (const isRender of [true, false]) {
      await serve(
        visitor,
        async (gatehouse) => {
          const refusal = await thrown(gatehouse.api.session.me.query());
          expect(isGatehouseError(refusal, 'unauthorized')).toBe(true);
          expect(gatehouse.isSignedIn).toBe(false);
        },
        { url: service.url, isRender },
      );
      expect(visitor.has('gatehouse-dev')).toBe(isRender);
    }
  });

  it('names the visitor, caches no answer, and follows no redirect', async () => {
    await using service = await start();
    const sent: (RequestInit & { cache?: string })[] = [];
    const send: typeof fetch = (input, init = {}) => {
      sent.push(init);
      return fetch(input, init);
    };
    const visitor = { address: '203.0.113.7', userAgent: 'A browser' };
    await serve(new Map(), ({ api }) => thrown(api.session.me.query()), {
      url: service.url,
      fetch: send,
      visitor,
    });
    const headers = new Headers(sent[0]?.headers);
    expect([headers.get('x-forwarded-for'), headers.get('user-agent')]).toEqual(Object.values(visitor));
    expect([sent[0]?.cache, sent[0]?.redirect]).toEqual(['no-store', 'error']);
  });

  it('gives up on a call and a refresh that the service does not answer', async () => {
    const iat = Math.floor(Date.now() / 1000) - 3000;
    const claims = Buffer.from(JSON.stringify({ iat, exp: iat + 3600 })).toString('base64url');
    const visitor: Visitor = new Map([['__Host-gatehouse', `h.${claims}.s`]]);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    try {
      const timeoutMs = 200;
      await serve(
        visitor,
        async (gatehouse) => {
          const refusal = await thrown(gatehouse.api.session.me.query());
          expect([isUnavailable(refusal), isGatehouseError(refusal)]).toEqual([true, false]);
          expect(await gatehouse.refresh()).toBe(false);
        },
        { url, secure: true, timeoutMs },
      );
    } finally {
      silent.close();
    }
  });

  it('does not show its session when it is logged', async () => {
    await using service = await start();
    const visitor: Visitor = new Map();
    await serve(visitor, (gatehouse) => gatehouse.signIn(owner), service);
    const token = visitor.get('gatehouse-dev') ?? '-';
    await serve(
      visitor,
      async (gatehouse) => {
        await gatehouse.api.session.me.query();
        const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
        const written = [JSON.stringify({ gatehouse }), inspect({ gatehouse }, options), String(gatehouse)];
        for (const text of written) expect(text).not.toContain(token.slice(0, 20));
        expect(JSON.parse(written[0] ?? '')).toEqual({ gatehouse: { url: service.url, accountId: 1 } });
      },
      service,
    );
  });
});

describe('one server for many visitors', () => {
  it("shows no visitor another's data in 1,000 interleaved renders", async () => {
    await using service = await start();
    const people = [
      { email: 'owner@acme.test', visitor: new Map() as Visitor },
      { email: 'owner@birch.test', visitor: new Map() as Visitor },
    ];
    for (const { email, visitor } of people)
      await serve(visitor, (gatehouse) => gatehouse.signIn({ email, password }), service);
    const render = (visitor: Visitor, turn: number) =>
      serve(
        visitor,
        async (gatehouse) => {
          // As components do that wait for different things.
          for (let waits = turn % 5; waits > 0; waits -= 1) await Promise.resolve();
          const [me, sessions] = await Promise.all([
            gatehouse.api.session.me.query(),
            gatehouse.api.member.list.query(),
          ]);
          const names = sessions.data.map(({ email }) => email);
          return { email: me.member.email, account: me.currentAccount?.accountId, names };
        },
        { url: service.url, isRender: true },
      );
    const expected = await Promise.all(people.map(({ visitor }) => render(visitor, 0)));
    expect(expected.map(({ email }) => email)).toEqual(people.map(({ email }) => email));
    expect(expected[0]?.account).not.toBe(expected[1]?.account);
    for (let begun = 0; begun < 1000; begun += 50) {
      const renders = Array.from({ length: 50 }, async (_, index) => {
        const who = (begun + index) % 2;
        const visitor = people[who]?.visitor ?? new Map();
        expect(await render(visitor, index)).toEqual(expected[who]);
      });
      await Promise.all(renders);
    }
  });

  it('refuses the first sign-in of a client shared by a module, with any browser store', async () => {
    await using service = await start();
    const asked: string[] = [];
    const send: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    for (const store of [{}, { store: localStore() }, { store: tabStore() }]) {
      const gatehouse = createMainClient({ url: service.url, fetch: send, ...store });
      const error = await thrown(gatehouse.signIn(owner));
      expect(String(error)).toContain(
        'On a server a client keeps no session, because it would be that of everybody',
      );
      expect(gatehouse.isSignedIn).toBe(false);
    }
    expect(asked).toEqual([]);
  });

  it('refuses to share the client of a request', async () => {
    await using service = await start();
    await serve(
      new Map(),
      async (gatehouse) => {
        await gatehouse.signIn(owner);
        const again = await thrown(gatehouse.signIn({ email: 'owner@birch.test', password }));
        expect(String(again)).toContain('make one for each request');
      },
      service,
    );
  });
});

describe('a request that changes something', () => {
  const request = (method: string, headers: Record<string, string>) =>
    new Request('https://front.test/sign-in', { method, headers });

  it.each([
    ['GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin' }, false],
    ['POST', { origin: 'https://front.test' }, false],
    ['POST', {}, false],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'https://own.test' }, false],
    ['POST', { 'sec-fetch-site': 'cross-site' }, true],
    ['POST', { 'sec-fetch-site': 'same-site', origin: 'https://other.front.test' }, true],
    ['POST', { 'sec-fetch-site': 'none' }, true],
    ['POST', { origin: 'https://foreign.test' }, true],
    ['POST', { origin: 'null' }, true],
    ['DELETE', { origin: 'http://front.test' }, true],
  ] as const)('by %s with %o is foreign: %s', (method, headers, isForeign) => {
    const own = { origins: ['https://own.test'] };
    expect(isForeignRequest(request(method, headers), own)).toBe(isForeign);
    const read = () => requestCookies(request(method, headers), new Headers(), own);
    if (isForeign) expect(read).toThrow('A page of another site');
    else expect(read).not.toThrow();
  });

  it.each(['', 'http://', 'http://[', 'http://a b', 'foo://front.test', 'about:blank'])(
    'is foreign with any Origin when the address is %j',
    (url) => {
      for (const origin of ['null', 'https://front.test', 'foo://front.test', '']) {
        const sent = { method: 'POST', url, headers: new Headers({ origin }) };
        expect([origin, isForeignRequest(sent)]).toEqual([origin, true]);
      }
    },
  );
});
