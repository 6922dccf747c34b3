import { createApp } from '@gatehouse/api-main/app';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { recovering } from '@gatehouse/features/test/recovery-world';
import { type RunningService, readOutbox, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  createMainClient,
  isGatehouseError,
  isSecondFactorRequired,
  type MainClient,
  memoryStore,
  type SessionChange,
  type SignedInSession,
  type StepProof,
  type TokenStore,
} from './main.js';
import { type CookieJar, createCookieJar } from './test/cookie-jar.js';

const password = 'Lantern-Harbor-42';
const DAY_MS = 86_400_000;
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** A client of a page that keeps its session in a cookie. */
function openPage(
  { url }: { url: string },
  { jar = createCookieJar(), held = null as string | null, store = memoryStore(held) } = {},
) {
  const gatehouse = createMainClient({ url, session: 'cookie', store, fetch: jar.fetch });
  return { gatehouse, jar, store };
}

const startMain = (more: { aheadMs?: number; database?: RunningService['database'] } = {}) => {
  const { aheadMs = 0, database } = more;
  const now = () => Date.now() + aheadMs;
  return startService(createApp, {
    dialect: 'libsql',
    application: 'web',
    now,
    ...(database ? { database } : {}),
  });
};

const startWorld = () => startFactorWorld({}, 'libsql');

const idOf = async ({ api }: MainClient) => (await api.session.me.query()).member.id;

/** Signs out, and expects that the cookie is gone and opens nothing. */
async function expectSignOut(gatehouse: MainClient, { cookies }: CookieJar): Promise<void> {
  const before = new Map(cookies);
  expect(before.size).toBe(1);
  await gatehouse.signOut();
  expect([gatehouse.isSignedIn, cookies.size]).toEqual([false, 0]);
  const again = createCookieJar(before);
  const { gatehouse: thief } = openPage(gatehouse, { jar: again });
  expect(isGatehouseError(await thrown(thief.api.session.me.query()), 'unauthorized')).toBe(true);
}

/** A page whose member signed out while its browser had no network. */
async function signOutOffline(
  service: RunningService,
  meanwhile: (jar: CookieJar) => Promise<void> = () => Promise.resolve(),
) {
  const own = createCookieJar();
  const jar: CookieJar & { isOnline: boolean } = {
    cookies: own.cookies,
    isOnline: true,
    fetch: (input, init) =>
      jar.isOnline ? own.fetch(input, init) : Promise.reject(new TypeError('offline')),
  };
  const page = { ...openPage(service, { jar }), jar };
  const { gatehouse } = page;
  await gatehouse.signIn({ email: 'owner@acme.test', password });
  await meanwhile(jar);
  const ending = new Map(jar.cookies);
  jar.isOnline = false;
  expect(String(await thrown(gatehouse.signOut()))).toContain('offline');
  expect(jar.cookies).toEqual(ending);
  return { gatehouse, page, ending };
}

/** Signs in by password as a member with a second step, and takes it. */
async function stepBy(gatehouse: MainClient, email: string, proof: StepProof): Promise<SignedInSession> {
  const refusal = await thrown(gatehouse.signIn({ email, password }));
  if (!isSecondFactorRequired(refusal)) throw new Error('no second step');
  return gatehouse.continueSignIn(refusal, proof);
}

/** A store that another tab changes. */
function sharedStore(initial: string): { store: TokenStore; change(held: string | null): void } {
  const listeners = new Set<() => void>();
  const store = memoryStore(initial);
  return {
    store: {
      ...store,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    change(held) {
      store.set(held);
      for (const listener of listeners) listener();
    },
  };
}

describe('a client in cookie mode', () => {
  it('has no token, and acts by the cookie that its browser keeps', async () => {
    await using service = await startMain();
    const { gatehouse, jar, store } = openPage(service);
    const signedIn = await gatehouse.signIn({ email: 'owner@acme.test', password });
    expect('token' in signedIn).toBe(false);
    expect([gatehouse.token, gatehouse.isSignedIn]).toEqual([null, true]);
    const [cookie = ''] = jar.cookies.values();
    expect(store.get()).not.toContain(cookie);
    expect((await gatehouse.withAccount(1).api.session.me.query()).currentAccount?.accountId).toBe(1);
    await expectSignOut(gatehouse, jar);
  });

  it('keeps the session of a provider, a mailed code and a mailed link', async () => {
    await using world = await startWorld();
    const member = await world.member();
    const { gatehouse, jar } = openPage(world.main);
    const sealed = { type: 'socialLogin', userId: member.id, provider: 'google' } as const;
    const { token } = world.main.services.tokens.sealOneUse(sealed, 300);
    const mailed = async () => {
      const { data } = await gatehouse.api.signIn.requestEmail.mutate({ email: member.email });
      const [mail] = (await readOutbox(world.main)).filter(({ to }) => to === member.email);
      const code = /^ {4}(\d{8})$/m.exec(mail?.text ?? '')?.[1] ?? '';
      return { flow: data.flow, code, link: /#email=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '' };
    };
    const ways = [
      () => gatehouse.signIn({ social: true, token }),
      async () => {
        const { flow, code } = await mailed();
        return gatehouse.signIn({ flow, code });
      },
      async () => {
        const { flow, link } = await mailed();
        return gatehouse.signIn({ flow, token: link });
      },
    ];
    const methods: string[][] = [];
    for (const signIn of ways) {
      methods.push((await signIn()).methods);
      expect([gatehouse.isSignedIn, await idOf(gatehouse)]).toEqual([true, member.id]);
      await expectSignOut(gatehouse, jar);
    }
    expect(methods).toEqual([['social'], ['email'], ['email']]);
  });

  it('keeps the session of a second step by code, by backup code and by the ticket of a recovery', async () => {
    await using world = await startWorld();
    const member = await recovering(world);
    const { gatehouse, jar } = openPage(world.main);
    const { ticket } = member;
    const [backupCode = ''] = member.backupCodes;
    const methods: string[][] = [];
    for (const proof of [{ ticket }, { code: member.code() }, { backupCode }]) {
      methods.push((await stepBy(gatehouse, member.email, proof)).methods);
      expect([gatehouse.isSignedIn, jar.cookies.size]).toEqual([true, 1]);
      if (!('ticket' in proof)) expect(await idOf(gatehouse)).toBe(member.id);
      await expectSignOut(gatehouse, jar);
    }
    expect(methods).toEqual([['pwd'], ['pwd', 'totp'], ['pwd', 'rc']]);
  });

  it('keeps a session that a procedure of signIn answered', async () => {
    await using service = await startMain();
    const { gatehouse, jar } = openPage(service);
    const { data } = await gatehouse.api.signIn.password.mutate({ email: 'owner@acme.test', password });
    expect(gatehouse.isSignedIn).toBe(false);
    gatehouse.adoptSession(data);
    expect([gatehouse.isSignedIn, await idOf(gatehouse)]).toEqual([true, 3]);
    await expectSignOut(gatehouse, jar);
  });

  it('signs out by a cookie of which its store knows nothing', async () => {
    await using service = await startMain();
    const { gatehouse, jar } = openPage(service);
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const { gatehouse: reloaded } = openPage(service, { jar });
    expect(reloaded.isSignedIn).toBe(false);
    await expectSignOut(reloaded, jar);
  });

  it('finishes a sign-out later that the service could not be told, in any tab, and acts in nothing until then', async () => {
    await using service = await startMain();
    const { gatehouse, page, ending } = await signOutOffline(service);
    expect(gatehouse.isSignedIn).toBe(false);
    expect(page.store.get()).toMatch(/^ending \d+ \d{4}-[\dT:.-]+Z$/);
    expect(await gatehouse.findSession()).toBe(false);
    expect(String(await thrown(gatehouse.api.session.me.query()))).toContain('offline');
    const tab = openPage(service, { jar: page.jar, store: page.store });
    expect([tab.gatehouse.isSignedIn, await tab.gatehouse.findSession()]).toEqual([false, false]);
    expect(page.jar.cookies.size).toBe(1);

    page.jar.isOnline = true;
    const calls = [tab.gatehouse.api.session.me.query(), gatehouse.api.session.me.query()];
    for (const call of calls) expect(isGatehouseError(await thrown(call), 'unauthorized')).toBe(true);
    expect([page.jar.cookies.size, page.store.get()]).toEqual([0, null]);
    const thief = openPage(service, { jar: createCookieJar(ending) });
    expect(isGatehouseError(await thrown(thief.gatehouse.api.session.me.query()), 'unauthorized')).toBe(true);
  });

  it('finishes a sign-out when its page is opened again, without a call', async () => {
    await using service = await startMain();
    const { page } = await signOutOffline(service);
    page.jar.isOnline = true;
    openPage(service, { jar: page.jar, store: page.store });
    await expect.poll(() => [page.jar.cookies.size, page.store.get()]).toEqual([0, null]);
  });

  it('finishes a sign-out of the session it was of, and of none that a server has begun since', async () => {
    await using service = await startMain();
    const { gatehouse, page } = await signOutOffline(service);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    page.jar.isOnline = true;
    const ofServer = openPage(service, { jar: page.jar });
    await ofServer.gatehouse.signIn({ email: 'member@acme.test', password });
    expect(await gatehouse.findSession()).toBe(true);
    expect([await idOf(gatehouse), await idOf(ofServer.gatehouse)]).toEqual([7, 7]);
  });

  it('finishes a sign-out of a session that a server began before it, of which the page did not know', async () => {
    await using service = await startMain();
    const { gatehouse, page } = await signOutOffline(service, async (jar) => {
      await openPage(service, { jar }).gatehouse.signIn({ email: 'member@acme.test', password });
    });
    page.jar.isOnline = true;
    expect(await gatehouse.findSession()).toBe(false);
    expect(page.jar.cookies.size).toBe(0);
  });

  it('ends nothing while a sign-in is under way, whatever other calls and tabs do', async () => {
    await using service = await startMain();
    const { gatehouse, page } = await signOutOffline(service);
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const paths: string[] = [];
    page.jar.isOnline = true;
    const fetchLate: typeof fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      paths.push(pathname);
      const response = await page.jar.fetch(input, init);
      if (pathname.endsWith('/signIn.password')) await late;
      return response;
    };
    const jar = { ...page.jar, fetch: fetchLate };
    page.jar.isOnline = false;
    const { gatehouse: tab } = openPage(service, { jar, store: page.store });
    await expect.poll(() => paths.length).toBeGreaterThan(0);
    await thrown(tab.findSession());
    page.jar.isOnline = true;
    paths.length = 0;
    const signedIn = tab.signIn({ email: 'member@acme.test', password });
    const others = [thrown(tab.api.session.me.query()), tab.findSession()];
    await expect.poll(() => paths).toEqual(['/trpc/signIn.password']);
    answer();
    await signedIn;
    // A call of before the sign-in is not sent in it.
    expect(await Promise.all(others)).toEqual([expect.any(Error), true]);
    expect(paths.some((path) => path.includes('session.endLate'))).toBe(false);
    expect([await idOf(tab), await idOf(gatehouse), page.jar.cookies.size]).toEqual([7, 7, 1]);
  });

  it('tells the service of a sign-out that its store has no room to remember', async () => {
    await using service = await startMain();
    const jar = createCookieJar();
    await openPage(service, { jar }).gatehouse.signIn({ email: 'owner@acme.test', password });
    const store: TokenStore = {
      get: () => null,
      set(held) {
        if (held !== null) throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const gatehouse = createMainClient({ url: service.url, session: 'cookie', store, fetch: jar.fetch });
    await gatehouse.signOut();
    expect(jar.cookies.size).toBe(0);
    expect(await gatehouse.findSession()).toBe(false);
  });

  it('finds a session of too low a level, of which session.me says what it lacks', async () => {
    await using world = await startWorld();
    const member = await recovering(world);
    const jar = createCookieJar();
    await stepBy(openPage(world.main, { jar }).gatehouse, member.email, { ticket: member.ticket });
    const { gatehouse } = openPage(world.main, { jar });
    expect(await gatehouse.findSession()).toBe(true);
    // Nothing is held of it, and listeners hear of its end all the same.
    const changes: SessionChange[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    await gatehouse.signOut();
    expect(changes).toEqual([{ isSignedIn: false, cause: 'signedOut' }]);
    expect(await gatehouse.findSession()).toBe(false);
  });

  it('signs in after a sign-out that was not finished, which ends the session of before', async () => {
    await using service = await startMain();
    const { gatehouse, page, ending } = await signOutOffline(service);
    page.jar.isOnline = true;
    await gatehouse.signIn({ email: 'member@acme.test', password });
    expect([gatehouse.isSignedIn, await idOf(gatehouse)]).toEqual([true, 7]);
    const thief = openPage(service, { jar: createCookieJar(ending) });
    expect(isGatehouseError(await thrown(thief.gatehouse.api.session.me.query()), 'unauthorized')).toBe(true);
  });

  it('stays signed out where the answer to a search for a session comes after it', async () => {
    await using service = await startMain();
    const jar = createCookieJar();
    await openPage(service, { jar }).gatehouse.signIn({ email: 'owner@acme.test', password });
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const fetchLate: typeof fetch = async (input, init) => {
      const response = await jar.fetch(input, init);
      if (String(input instanceof Request ? input.url : input).includes('session.refresh')) await late;
      else throw new TypeError('offline');
      return response;
    };
    const { gatehouse } = openPage(service, { jar: { ...jar, fetch: fetchLate } });
    const found = gatehouse.findSession();
    expect(String(await thrown(gatehouse.signOut()))).toContain('offline');
    answer();
    expect([await found, gatehouse.isSignedIn]).toEqual([false, false]);
  });

  it('finds the session of its browser, asking once and only where its store knows nothing', async () => {
    await using service = await startMain();
    const { gatehouse: before, jar } = openPage(service);
    await before.signIn({ email: 'owner@acme.test', password });
    const { gatehouse } = openPage(service, { jar });
    const changes: SessionChange[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    expect(await Promise.all([gatehouse.findSession(), gatehouse.findSession()])).toEqual([true, true]);
    expect([gatehouse.isSignedIn, await idOf(gatehouse)]).toEqual([true, 3]);
    const isOffline = (): Promise<Response> => Promise.reject(new TypeError('offline'));
    const knowing = createMainClient({
      url: service.url,
      session: 'cookie',
      store: memoryStore(`${Date.now()} ${Date.now() + DAY_MS} one`),
      fetch: isOffline,
    });
    expect(await knowing.findSession()).toBe(true);
    await gatehouse.api.session.refresh.mutate();
    expect(changes).toEqual([{ isSignedIn: true, cause: 'signedIn' }]);
    await expectSignOut(gatehouse, jar);
    expect(await gatehouse.findSession()).toBe(false);
    const refused = await thrown(gatehouse.api.session.refresh.mutate());
    expect([isGatehouseError(refused, 'unauthorized'), gatehouse.isSignedIn]).toEqual([true, false]);
    const { gatehouse: offline } = openPage(service, { jar: { ...jar, fetch: isOffline } });
    expect(String(await thrown(offline.findSession()))).toContain('offline');
    const byToken = createMainClient({ url: service.url, store: memoryStore(), fetch: isOffline });
    expect([byToken.session, await byToken.findSession()]).toEqual(['token', false]);
  });

  it('tells its page of sign-ins in other tabs, and not of their refreshes', () => {
    const { store, change } = sharedStore(`${Date.now()} ${Date.now() + DAY_MS} one`);
    const gatehouse = createMainClient({ url: 'http://gatehouse.test', session: 'cookie', store });
    const changes: SessionChange[] = [];
    gatehouse.subscribe(({ ...each }) => void changes.push(each));
    change(`${Date.now()} ${Date.now() + 2 * DAY_MS} one`);
    expect(changes).toEqual([]);
    change(null);
    change(`${Date.now()} ${Date.now() + DAY_MS} two`);
    change('ending 5 ');
    expect(gatehouse.isSignedIn).toBe(false);
    gatehouse.adoptSession({ expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    const own = store.get()?.split(' ')[2] ?? '';
    change(`${Date.now()} ${Date.now() + 2 * DAY_MS} ${own}`);
    expect(changes).toEqual([
      { isSignedIn: false, cause: 'elsewhere' },
      { isSignedIn: true, cause: 'elsewhere' },
      { isSignedIn: false, cause: 'elsewhere' },
      { isSignedIn: true, cause: 'signedIn' },
    ]);
  });

  it('signs out of the session it was called in, however late, and never of the next', async () => {
    await using service = await startMain();
    const jar = createCookieJar();
    const held: (() => void)[] = [];
    const paths: string[] = [];
    const fetchLate: typeof fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname.endsWith('/session.end')) await new Promise<void>((resolve) => held.push(resolve));
      paths.push(pathname);
      return jar.fetch(input, init);
    };
    const { gatehouse } = openPage(service, { jar: { ...jar, fetch: fetchLate } });
    const credentials = { email: 'owner@acme.test', password };
    await gatehouse.signIn(credentials);
    paths.length = 0;
    const out = gatehouse.signOut();
    expect(gatehouse.isSignedIn).toBe(false);
    await expect.poll(() => held.length).toBe(1);
    const again = gatehouse.signOut();
    const aborted = new AbortController();
    const given = thrown(gatehouse.signIn(credentials, { signal: aborted.signal }));
    const next = gatehouse.signIn(credentials);
    aborted.abort();
    expect(await given).toMatchObject({ message: expect.stringContaining('abort') as string });
    expect(paths).toEqual([]);
    held[0]?.();
    await Promise.all([out, again, next]);
    expect(paths).toEqual(['/trpc/session.end', '/trpc/signIn.password']);
    expect([gatehouse.isSignedIn, jar.cookies.size, await idOf(gatehouse)]).toEqual([true, 1, 3]);
  });

  it('tells its page when the session expires, without a call, unless another tab has refreshed it', async () => {
    const { store, change } = sharedStore(`${Date.now()} ${Date.now() + 150} one`);
    const gatehouse = createMainClient({ url: 'http://gatehouse.test', session: 'cookie', store });
    const changes: SessionChange[] = [];
    const stop = gatehouse.subscribe((each) => void changes.push(each));
    const refreshedUntilMs = Date.now() + 400;
    change(`${Date.now()} ${refreshedUntilMs} one`);
    await expect.poll(() => changes).toEqual([{ isSignedIn: false, cause: 'refused' }]);
    expect(Date.now()).toBeGreaterThanOrEqual(refreshedUntilMs);
    expect(gatehouse.isSignedIn).toBe(false);
    stop();
  });

  it('refreshes past half of the life of its session, and stays in the same sign-in', async () => {
    await using before = await startMain({ aheadMs: -4 * DAY_MS });
    const { gatehouse: begun, jar } = openPage(before);
    await begun.signIn({ email: 'owner@acme.test', password });
    const [old] = jar.cookies.values();
    await using service = await startMain({ database: before.database });
    const held = `${Date.now() - 4 * DAY_MS} ${Date.now() + 3 * DAY_MS} a-sign-in`;
    const { gatehouse, store } = openPage(service, { jar, held });
    await idOf(gatehouse);
    await expect.poll(() => store.get()).not.toBe(held);
    const [, expiresAtMs, name] = store.get()?.split(' ') ?? [];
    expect([name, Number(expiresAtMs) > Date.now() + 6 * DAY_MS]).toEqual(['a-sign-in', true]);
    expect([...jar.cookies.values()]).not.toEqual([old]);
    expect(await idOf(gatehouse)).toBe(3);
  });
});
