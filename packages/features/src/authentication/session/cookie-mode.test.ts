import type { RunningService, TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  type FactorAnswer,
  type FactorWorld,
  readAnswer,
  startFactorWorld,
} from '../../test/factor-world.js';

const PASSWORD = 'Lantern-Harbor-42';
const LISTED = 'http://console.gatehouse.test';
const FOREIGN = 'http://evil.test';
const DAY_MS = 86_400_000;
const start = () => startFactorWorld({ COOKIE_ORIGINS: LISTED });

/** The headers that a script of a page sends with each request. */
const page = (more: Record<string, string> = {}) => ({
  'x-gatehouse-client': 'cookie',
  'sec-fetch-site': 'same-origin',
  ...more,
});

const setCookies = (answer: { headers: Headers }) => answer.headers.getSetCookie();

/** The cookies of an answer, as a browser sends them back. */
const cookiesOf = (answer: { headers: Headers }) =>
  setCookies(answer)
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

const signIn = (
  world: FactorWorld,
  { email }: TestMember,
  headers: Record<string, string> = page(),
  on: RunningService = world.main,
): Promise<FactorAnswer> =>
  world.call('signIn.password', { email, password: PASSWORD }, { on, headers: { ...headers } });

const me = async (service: RunningService, headers: Record<string, string>) =>
  readAnswer(await service.send('/auth/me', { headers }));

describe('cookie mode', () => {
  it('puts the token of a sign-in into a cookie that no script reads, and not into the body', async () => {
    await using world = await start();
    const answer = await signIn(world, await world.member());
    expect([answer.status, answer.data['token'], answer.data['level']]).toEqual([200, undefined, 1]);
    const [line = ''] = setCookies(answer);
    expect(line).toMatch(/^gatehouse-dev=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = cookiesOf(answer);
    expect((await me(world.main, page({ cookie }))).status).toBe(200);
    expect((await me(world.other, page({ cookie }))).status).toBe(200);
    expect(world.main.logLines.join('')).not.toContain(cookie.slice('gatehouse-dev='.length));
  });

  it('begins with a registration or a join, and ends the session that the cookie had', async () => {
    await using world = await start();
    const person = { username: 'ada', password: 'Analytical-Engine-1843', email: 'ada@lovelace.test' };
    const registered = await world.call('registration.register', person, { headers: page() });
    expect([registered.status, registered.body['token']]).toEqual([200, undefined]);
    expect(Date.parse(String(registered.body['expiresAt']))).toBeGreaterThan(Date.now());
    const first = cookiesOf(registered);
    expect((await me(world.main, page({ cookie: first }))).status).toBe(200);

    const again = await signIn(world, await world.member(), page({ cookie: first }));
    const second = cookiesOf(again);
    const statuses = async (cookie: string) =>
      Promise.all([world.main, world.other].map(async (on) => (await me(on, page({ cookie }))).status));
    expect([await statuses(first), await statuses(second)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    // An ended or foreign cookie does not prevent a sign-in.
    for (const cookie of [first, 'gatehouse-dev=x'])
      expect((await signIn(world, await world.member(), page({ cookie }))).status).toBe(200);
    // Without cookie mode a cookie says nothing, and a sign-in ends nothing.
    expect((await signIn(world, await world.member(), { cookie: second })).status).toBe(200);
    expect(await statuses(second)).toEqual([200, 200]);
  });

  it('has Secure cookies with the __Host- prefix over TLS and in production, one for each deployment', async () => {
    await using world = await startFactorWorld({ BASE_URL: 'https://gatehouse.test' });
    const member = await world.member({ roleType: 0, isPersonnel: true });
    const names = await Promise.all(
      [world.main, world.admin].map(async (on) => setCookies(await signIn(world, member, page(), on))[0]),
    );
    expect(names).toEqual([
      expect.stringMatching(/^__Host-gatehouse=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
      expect.stringMatching(/^__Host-gatehouse-admin=.*; Secure$/),
    ]);
  });

  it('keeps two deployments on one host apart', async () => {
    await using world = await start();
    const member = await world.member({ roleType: 0, isPersonnel: true });
    const ofMain = cookiesOf(await signIn(world, member));
    const ofAdmin = cookiesOf(await signIn(world, member, page(), world.admin));
    expect([ofMain.split('=')[0], ofAdmin.split('=')[0]]).toEqual(['gatehouse-dev', 'gatehouse-dev-admin']);
    const statuses = async (cookie: string) =>
      Promise.all([world.main, world.admin].map(async (on) => (await me(on, page({ cookie }))).status));
    expect(await statuses(ofMain)).toEqual([200, 401]);
    expect(await statuses(ofAdmin)).toEqual([401, 200]);
    expect(await statuses(`${ofMain}; ${ofAdmin}`)).toEqual([200, 200]);
  });

  it.each([
    ['without the header', { 'sec-fetch-site': 'same-origin' }],
    ['with another value of it', { 'x-gatehouse-client': 'Cookie', 'sec-fetch-site': 'same-origin' }],
    ['of an unknown origin', { 'x-gatehouse-client': 'cookie', origin: FOREIGN }],
    [
      'of a foreign page',
      { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'cross-site', origin: FOREIGN },
    ],
    ['of a page of the same site', { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-site' }],
    ['of a navigation', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['of a sandboxed page', { 'x-gatehouse-client': 'cookie', origin: 'null' }],
    [
      'of an origin that begins as a listed one',
      { 'x-gatehouse-client': 'cookie', origin: `${LISTED}.evil.test` },
    ],
  ])('refuses a request %s, over every transport, and changes nothing', async (_, headers) => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    const sent = { ...headers, cookie };
    const { main } = world;
    const answers = await Promise.all([
      main.send('/auth/me', { headers: sent }),
      main.send('/auth/logout', { headers: sent, method: 'POST' }),
      main.send('/v1/session/end', { headers: sent, body: {} }),
      main.send('/trpc/session.me', { headers: sent }),
      main.send('/trpc/session.end', { headers: sent, body: {} }),
      main.send('/trpc/session.refresh,session.end?batch=1', { headers: sent, body: { 0: {}, 1: {} } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    for (const answer of answers) {
      expect(await answer.text()).toContain('origin_refused');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await me(main, page({ cookie }))).status).toBe(200);
  });

  it('accepts reads without an origin or site, because no other site can send the header', async () => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    const headers = { 'x-gatehouse-client': 'cookie', cookie };
    const { main } = world;
    expect((await main.send('/auth/me', { headers })).status).toBe(200);
    expect((await main.send('/trpc/session.me', { headers })).status).toBe(200);
    const writes = await Promise.all([
      main.send('/auth/logout', { headers, method: 'POST' }),
      main.send('/trpc/session.end', { headers, body: {} }),
    ]);
    expect(writes.map(({ status }) => status)).toEqual([403, 403]);
    expect((await me(main, page({ cookie }))).status).toBe(200);
  });

  it('accepts each kind of read from such a browser, at both services, and no write in the form of a read', async () => {
    await using world = await start();
    const staff = await world.member({ roleType: 0, isPersonnel: true });
    const cookie = [
      cookiesOf(await signIn(world, staff)),
      cookiesOf(await signIn(world, staff, page(), world.admin)),
    ].join('; ');
    const headers = { 'x-gatehouse-client': 'cookie', cookie };
    const { main, admin } = world;
    const statuses: [string, number][] = [];
    const reads = [
      ['/auth/me', 'GET'],
      ['/auth/me', 'HEAD'],
      ['/trpc/session.me,session.me?batch=1&input=%7B%220%22%3A%7B%7D%2C%221%22%3A%7B%7D%7D', 'GET'],
      ['/auth/me?again=1', 'GET'],
    ] as const;
    for (const [path, method] of reads)
      for (const on of [main, admin])
        statuses.push([`${method} ${path}`, (await fetch(`${on.url}${path}`, { headers, method })).status]);
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    for (const path of ['/trpc/session.end?input=%7B%7D', '/v1/session/end', '/auth/logout'])
      expect([path, (await main.send(path, { headers })).status < 400]).toEqual([path, false]);
    expect((await me(main, page({ cookie }))).status).toBe(200);
  });

  it.each([
    ['an empty name of its site', { 'sec-fetch-site': '' }],
    ['the site of a navigation', { 'sec-fetch-site': 'none' }],
    ['an empty origin', { origin: '' }],
    ['a name of its site that nobody knows', { 'sec-fetch-site': 'fenced-frame' }],
    ['two names of its site', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ])('refuses to write for a request that has %s', async (_what, headers) => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    const sent = { 'x-gatehouse-client': 'cookie', ...headers, cookie };
    const answer = await world.main.send('/v1/session/end', { headers: sent, body: {} });
    expect(answer.status).toBe(403);
    expect((await me(world.main, page({ cookie }))).status).toBe(200);
  });

  it('accepts its own origin and the listed ones, and allows credentials only to the listed ones', async () => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    const own = new URL(world.main.services.config.BASE_URL).origin;
    for (const origin of [LISTED, own]) {
      const headers = { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-site', origin, cookie };
      expect([origin, (await me(world.main, headers)).status]).toEqual([origin, 200]);
    }
    const preflight = async (origin: string) => {
      const response = await fetch(`${world.main.url}/auth/me`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
      const { headers } = response;
      return [
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
        /x-gatehouse-client/i.test(headers.get('access-control-allow-headers') ?? ''),
      ];
    };
    const app = new URL(world.main.services.config.APP_URL).origin;
    expect(await preflight(LISTED)).toEqual([LISTED, 'true', true]);
    expect(await preflight(app)).toEqual([app, null, false]);
    expect(await preflight(FOREIGN)).toEqual([null, null, false]);
  });

  it('keeps other sites from signing a browser in', async () => {
    await using world = await start();
    const member = await world.member();
    const foreign = { 'x-gatehouse-client': 'cookie', origin: FOREIGN, 'sec-fetch-site': 'cross-site' };
    const refused = await signIn(world, member, foreign);
    expect([refused.status, refused.code, setCookies(refused)]).toEqual([403, 'origin_refused', []]);
    const form = await fetch(`${world.main.url}/v1/signIn/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: FOREIGN },
      body: new URLSearchParams({ email: member.email, password: PASSWORD }),
    });
    expect([form.status, form.headers.getSetCookie()]).toEqual([415, []]);
    const plain = await signIn(world, member, { origin: FOREIGN });
    expect([plain.status, setCookies(plain)]).toEqual([200, []]);
  });

  it('reads the cookie only when there is no token and no authorization header', async () => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    const another = await world.member();
    const bad = await readAnswer(
      await world.main.send('/auth/me', { token: 'bad', headers: page({ cookie }) }),
    );
    expect([bad.status, setCookies(bad)]).toEqual([401, []]);
    for (const authorization of ['Bearer bad', 'Basic eDp5', '']) {
      expect((await me(world.main, page({ cookie, authorization }))).status).toBe(401);
    }
    const own = await world.main.send('/auth/me', { token: another.token, headers: { cookie } });
    expect(((await own.json()) as { member: { id: number } }).member.id).toBe(another.id);
  });

  it('removes the cookie with a 401 and at sign-out, over both transports', async () => {
    await using world = await start();
    const member = await world.member();
    const removed = /^gatehouse-dev=; Max-Age=0; /;
    const first = cookiesOf(await signIn(world, member));
    const out = await world.main.send('/auth/logout', { method: 'POST', headers: page({ cookie: first }) });
    expect([out.status, out.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(removed)]]);
    const gone = await me(world.other, page({ cookie: first }));
    expect([gone.status, setCookies(gone)]).toEqual([401, [expect.stringMatching(removed)]]);
    const batch = await world.main.send('/trpc/session.me,session.list?batch=1', {
      headers: page({ cookie: first }),
    });
    expect(batch.headers.getSetCookie()).toEqual([expect.stringMatching(removed)]);
    const second = cookiesOf(await signIn(world, member));
    const over = await world.main.send('/trpc/session.end?batch=1', {
      headers: page({ cookie: second }),
      body: { 0: {} },
    });
    expect(over.headers.getSetCookie()).toEqual([expect.stringMatching(removed)]);
  });

  it("removes the selected account of the front end's server when a member signs in or out", async () => {
    await using world = await start();
    const selected = 'gatehouse-dev-account=1';
    const answer = await signIn(world, await world.member(), page({ cookie: selected }));
    const removal = 'gatehouse-dev-account=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax';
    expect(setCookies(answer)).toContain(removal);
    const cookie = `${cookiesOf(answer)}; ${selected}`;
    const refreshed = await world.call('session.refresh', {}, { headers: page({ cookie }) });
    expect(setCookies(refreshed)).not.toContain(removal);
    const ended = await world.call('session.end', {}, { headers: page({ cookie }) });
    expect(setCookies(ended)).toContain(removal);
  });

  it('signs in over tRPC too, in a batch, and when a streamed answer is requested', async () => {
    await using world = await start();
    const { email } = await world.member();
    const streamed = 'application/jsonl';
    for (const accept of [{}, { 'trpc-accept': streamed }, { accept: `text/plain, ${streamed}` }]) {
      const answer = await world.main.send('/trpc/signIn.password?batch=1', {
        headers: page(accept),
        body: { 0: { email, password: PASSWORD } },
      });
      const cookie = cookiesOf(answer);
      expect(await answer.text()).not.toContain(cookie.slice('gatehouse-dev='.length));
      expect((await me(world.main, page({ cookie }))).status).toBe(200);
    }
  });

  it('keeps the cookie of a session that is only forbidden a call', async () => {
    await using world = await startFactorWorld({ STAFF_LEVEL: '2' });
    const staff = await world.member({ isPersonnel: true });
    const headers = page({ cookie: cookiesOf(await signIn(world, staff)) });
    const refused = await world.call('recovery.cancelMine', {}, { headers });
    expect([refused.status, refused.code, setCookies(refused)]).toEqual([403, 'enrolment_required', []]);
    const foreign = await world.call(
      'session.byAuthToken',
      { token: 'nobody' },
      { headers, on: world.admin },
    );
    expect([foreign.status, setCookies(foreign)]).toEqual([401, []]);
    expect((await world.call('factor.list', {}, { headers, query: true })).status).toBe(200);
  });

  it('sets the cookie again when the session is refreshed', async () => {
    await using world = await start();
    const cookie = cookiesOf(await signIn(world, await world.member()));
    world.wait(4 * DAY_MS);
    const answer = await world.call('session.refresh', {}, { headers: page({ cookie }) });
    const next = cookiesOf(answer);
    expect([answer.status, answer.data['token'], next === cookie]).toEqual([200, undefined, false]);
    world.wait(61_000);
    expect((await me(world.other, page({ cookie }))).status).toBe(401);
    expect((await me(world.other, page({ cookie: next }))).status).toBe(200);
  });

  it('binds the challenge of a second step to the browser', async () => {
    await using world = await start();
    const member = await world.enrolled();
    const begin = async () => {
      const answer = await signIn(world, member);
      expect([answer.status, answer.code]).toEqual([401, 'second_factor_required']);
      return { challenge: answer.challenge, cookie: cookiesOf(answer) };
    };
    const [mine, others] = [await begin(), await begin()];
    expect(mine.cookie).toMatch(/^gatehouse-dev-step=[^;]{43}$/);
    const step = (headers: Record<string, string>, challenge = mine.challenge) =>
      world.call('signIn.step', { challenge, code: member.code() }, { headers });
    expect((await step(page())).code).toBe('invalid_challenge');
    expect((await step({})).code).toBe('invalid_challenge');
    expect((await step(page({ cookie: others.cookie }))).code).toBe('invalid_challenge');
    const plain = await world.signIn(member);
    expect((await step(page({ cookie: mine.cookie }), plain.challenge)).code).toBe('invalid_challenge');
    const done = await step(page({ cookie: mine.cookie }));
    expect([done.status, done.data['token'], done.data['level']]).toEqual([200, undefined, 2]);
    expect(setCookies(done)).toContainEqual(expect.stringMatching(/^gatehouse-dev-step=; Max-Age=0/));
    expect((await me(world.main, page({ cookie: cookiesOf(done) }))).status).toBe(200);
  });
});
