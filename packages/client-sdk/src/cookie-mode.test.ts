import { createApp } from '@gatehouse/api-main/app';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { recovering } from '@gatehouse/features/test/recovery-world';
import { type RunningService, readOutbox, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  createMainClient,
  isGatehouseError,
  isSecondFactorRequired,
  isUnavailable,
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

/** Signs out, and expects that the cookie is removed and no longer valid. */
async function expectSignOut(gatehouse: MainClient, { cookies }: CookieJar): Promise<void> {
  const before = new Map(cookies);
  expect(before.size).toBe(1);
  await gatehouse.signOut();
  expect([gatehouse.isSignedIn, cookies.size]).toEqual([false, 0]);
  const again = createCookieJar(before);
  const { gatehouse: thief } = openPage(gatehouse, { jar: again });
  expect(isGatehouseError(await thrown(thief.api.session.me.query()), 'unauthorized')).toBe(true);
}

/** The stored state of a sign-in that ends, and began, so many milliseconds from now. */
function keptOf(signIn: string, endsInMs: number, begunInMs = 0): string {
  const nowMs = Date.now();
  return JSON.stringify({ issuedAtMs: nowMs + begunInMs, expiresAtMs: nowMs + endsInMs, signIn });
}

function keptIn(store: TokenStore): { signIn: string; expiresAtMs: number } {
  return JSON.parse(store.get() ?? '') as { signIn: string; expiresAtMs: number };
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
  it('has no token, and uses the cookie that its browser keeps', async () => {
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

  it('keeps the session of a sign-in by provider, mailed code or mailed link', async () => {
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

  it('keeps the session of a second step by code, backup code or recovery ticket', async () => {
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

  it('keeps a session that a signIn procedure returned', async () => {
    await using service = await startMain();
    const { gatehouse, jar } = openPage(service);
    const { data } = await gatehouse.api.signIn.password.mutate({ email: 'owner@acme.test', password });
    expect(gatehouse.isSignedIn).toBe(false);
    gatehouse.adoptSession(data);
    expect([gatehouse.isSignedIn, await idOf(gatehouse)]).toEqual([true, 3]);
    await expectSignOut(gatehouse, jar);
  });

  it('signs out a session whose cookie its store does not know', async () => {
    await using service = await startMain();
    const { gatehouse, jar } = openPage(service);
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const { gatehouse: reloaded } = openPage(service, { jar });
    expect(reloaded.isSignedIn).toBe(false);
    await expectSignOut(reloaded, jar);
  });

  it('stays signed in when a sign-out does not reach the service, and signs out the next time', async () => {
    await using service = await startMain();
    const own = createCookieJar();
    let isOnline = true;
    const fetchOnline: typeof fetch = (input, init) =>
      isOnline ? own.fetch(input, init) : Promise.reject(new TypeError('offline'));
    const { gatehouse, jar } = openPage(service, { jar: { ...own, fetch: fetchOnline } });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const changes: SessionChange[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    isOnline = false;
    expect(isUnavailable(await thrown(gatehouse.signOut()))).toBe(true);
    expect([gatehouse.isSignedIn, jar.cookies.size, changes]).toEqual([true, 1, []]);
    isOnline = true;
    await expectSignOut(gatehouse, jar);
    expect(changes).toEqual([{ isSignedIn: false, cause: 'signedOut' }]);
  });

  it('reports a sign-out, not a refused session, when the first answer to it is lost', async () => {
    await using service = await startMain();
    const own = createCookieJar();
    let lost = 0;
    const fetchOnce: typeof fetch = async (input, init) => {
      const response = await own.fetch(input, init);
      const isEnd = new URL(input instanceof Request ? input.url : input).pathname.endsWith('/session.end');
      if (!isEnd || lost > 0) return response;
      lost += 1;
      throw new TypeError('the connection was lost');
    };
    const { gatehouse } = openPage(service, { jar: { ...own, fetch: fetchOnce } });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const changes: SessionChange[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    await gatehouse.signOut();
    expect([lost, changes]).toEqual([1, [{ isSignedIn: false, cause: 'signedOut' }]]);
  });

  it('keeps a session whose level is too low, and session.me says what it lacks', async () => {
    await using world = await startWorld();
    const member = await recovering(world);
    const jar = createCookieJar();
    await stepBy(openPage(world.main, { jar }).gatehouse, member.email, { ticket: member.ticket });
    const { gatehouse } = openPage(world.main, { jar });
    expect(await gatehouse.findSession()).toBe(true);
    // The store does not know the session, and listeners are still notified of its end.
    const changes: SessionChange[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    await gatehouse.signOut();
    expect(changes).toEqual([{ isSignedIn: false, cause: 'signedOut' }]);
    expect(await gatehouse.findSession()).toBe(false);
  });

  it('stays signed out when an earlier request for the session is answered after the sign-out', async () => {
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
      return response;
    };
    const { gatehouse } = openPage(service, { jar: { ...jar, fetch: fetchLate } });
    const found = gatehouse.findSession();
    await gatehouse.signOut();
    answer();
    expect([await found, gatehouse.isSignedIn]).toEqual([false, false]);
  });

  it('finds the session of its browser with one call, and only if its store has none', async () => {
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
      store: memoryStore(keptOf('one', DAY_MS)),
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

  it('reports sign-ins in other tabs, but not their refreshes', () => {
    const { store, change } = sharedStore(keptOf('one', DAY_MS));
    const gatehouse = createMainClient({ url: 'http://gatehouse.test', session: 'cookie', store });
    const changes: SessionChange[] = [];
    gatehouse.subscribe(({ ...each }) => void changes.push(each));
    change(keptOf('one', 2 * DAY_MS));
    expect(changes).toEqual([]);
    change(null);
    change(keptOf('two', DAY_MS));
    change('what an earlier page wrote');
    expect(gatehouse.isSignedIn).toBe(false);
    gatehouse.adoptSession({ expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    const own = keptIn(store).signIn;
    change(keptOf(own, 2 * DAY_MS));
    expect(changes).toEqual([
      { isSignedIn: false, cause: 'elsewhere' },
      { isSignedIn: true, cause: 'elsewhere' },
      { isSignedIn: false, cause: 'elsewhere' },
      { isSignedIn: true, cause: 'signedIn' },
    ]);
  });

  it('reports the expiry of the session without a call, unless another tab has refreshed it', async () => {
    const { store, change } = sharedStore(keptOf('one', 150));
    const gatehouse = createMainClient({ url: 'http://gatehouse.test', session: 'cookie', store });
    const changes: SessionChange[] = [];
    const stop = gatehouse.subscribe((each) => void changes.push(each));
    const refreshedUntilMs = Date.now() + 400;
    change(keptOf('one', 400));
    await expect.poll(() => changes).toEqual([{ isSignedIn: false, cause: 'refused' }]);
    expect(Date.now()).toBeGreaterThanOrEqual(refreshedUntilMs);
    expect(gatehouse.isSignedIn).toBe(false);
    stop();
  });

  it("refreshes after half of the session's lifetime, and stays in the same sign-in", async () => {
    await using before = await startMain({ aheadMs: -4 * DAY_MS });
    const { gatehouse: begun, jar } = openPage(before);
    await begun.signIn({ email: 'owner@acme.test', password });
    const [old] = jar.cookies.values();
    await using service = await startMain({ database: before.database });
    const held = keptOf('a-sign-in', 3 * DAY_MS, -4 * DAY_MS);
    const { gatehouse, store } = openPage(service, { jar, held });
    await idOf(gatehouse);
    await expect.poll(() => store.get()).not.toBe(held);
    const { signIn, expiresAtMs } = keptIn(store);
    expect([signIn, expiresAtMs > Date.now() + 6 * DAY_MS]).toEqual(['a-sign-in', true]);
    expect([...jar.cookies.values()]).not.toEqual([old]);
    expect(await idOf(gatehouse)).toBe(3);
  });
});
