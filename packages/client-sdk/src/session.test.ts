import { createApp } from '@gatehouse/api-main/app';
import { signInByPassword, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  createMainClient,
  isGatehouseError,
  isUnavailable,
  memoryStore,
  perCall,
  type SessionChange,
} from './main.js';

const password = 'Lantern-Harbor-42';
const DAY_MS = 86_400_000;
const owner = { email: 'owner@acme.test', password };
const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('the session of a client', () => {
  it('notifies its listeners when it begins, ends, and is refused', async () => {
    await using service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    const changes: SessionChange[] = [];
    const stop = gatehouse.subscribe((change) => void changes.push(change));
    await gatehouse.signIn(owner);
    await gatehouse.signOut();
    await gatehouse.signIn(owner);
    await service.send('/auth/logout', { method: 'POST', token: gatehouse.token ?? '' });
    const [one, other] = await Promise.all([
      thrown(gatehouse.api.session.me.query()),
      thrown(gatehouse.withAccount(1).api.member.list.query({})),
    ]);
    expect([isGatehouseError(one, 'unauthorized'), isGatehouseError(other, 'unauthorized')]).toEqual([
      true,
      true,
    ]);
    expect(gatehouse.token).toBeNull();
    stop();
    await gatehouse.signIn(owner);
    expect(changes).toEqual([
      { isSignedIn: true, cause: 'signedIn' },
      { isSignedIn: false, cause: 'signedOut' },
      { isSignedIn: true, cause: 'signedIn' },
      { isSignedIn: false, cause: 'refused' },
    ]);
  });

  it('survives the refusal of an earlier token', async () => {
    await using service = await start();
    const held: (() => void)[] = [];
    const gatehouse = createMainClient({
      url: service.url,
      store: memoryStore('a token that is refused'),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (String(input).includes('session.me')) await new Promise<void>((resolve) => held.push(resolve));
        return response;
      },
    });
    const late = thrown(gatehouse.api.session.me.query());
    await expect.poll(() => held.length).toBe(1);
    await gatehouse.signIn(owner);
    held[0]?.();
    expect(isGatehouseError(await late, 'unauthorized')).toBe(true);
    expect(gatehouse.token).not.toBeNull();
  });

  it('is not affected by a call with its own token', async () => {
    await using service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    await gatehouse.signIn(owner);
    const { token } = gatehouse;
    const member = await signInByPassword(service, 'member@acme.test', password);
    const { api } = gatehouse;
    const [own, others, nobody, bad] = await Promise.all([
      api.session.me.query(),
      api.session.me.query(undefined, perCall({ token: member.token })),
      thrown(api.session.me.query(undefined, perCall({ token: null }))),
      thrown(api.health.bearer.query(undefined, perCall({ bearer: 'no token' }))),
    ]);
    expect([own.member.id, others.member.id]).toEqual([3, 7]);
    expect(isGatehouseError(nobody, 'unauthorized')).toBe(true);
    expect(isGatehouseError(bad, 'bearer_refused')).toBe(true);
    expect(gatehouse.token).toBe(token);
  });

  it('stays when a sign-out does not reach the service, and the sign-out fails', async () => {
    const service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore(), retry: false });
    await gatehouse.signIn(owner);
    await service[Symbol.asyncDispose]();
    expect(isUnavailable(await thrown(gatehouse.signOut()))).toBe(true);
    expect(gatehouse.isSignedIn).toBe(true);
  });

  it('can be adopted from a registration', async () => {
    await using service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    const registered = await gatehouse.api.registration.register.mutate({
      username: 'ada',
      email: 'ada@lovelace.test',
      password: 'Analytical-Engine-1843',
    });
    gatehouse.adoptSession(registered);
    expect((await gatehouse.api.session.me.query()).member.email).toBe('ada@lovelace.test');
  });

  it('is refreshed in time, and not before, when the clock of the device is wrong', async () => {
    await using service = await start();
    const asked: string[] = [];
    // To a device whose clock is four days slow the service is four days ahead.
    let aheadMs = 0;
    const gatehouse = createMainClient({
      url: service.url,
      store: memoryStore(),
      async fetch(input, init) {
        asked.push(String(input));
        const response = await fetch(input, init);
        const headers = new Headers(response.headers);
        headers.set('date', new Date(Date.now() + aheadMs).toUTCString());
        return new Response(response.body, { status: response.status, headers });
      },
    });
    const refreshes = () => asked.filter((url) => url.includes('session.refresh')).length;
    await gatehouse.signIn(owner);
    await gatehouse.api.session.me.query();
    expect(refreshes()).toBe(0);
    aheadMs = 4 * DAY_MS;
    await gatehouse.api.session.me.query();
    await gatehouse.api.session.me.query();
    await expect.poll(refreshes).toBe(1);
  });
});

describe('a page whose clock is ahead', () => {
  it('keeps a session that is valid by the clock of the service', async () => {
    const [issuedAtMs, expiresAtMs] = [Date.now() - DAY_MS, Date.now() + 300];
    const store = memoryStore(JSON.stringify({ issuedAtMs, expiresAtMs, signIn: 'one' }));
    const gatehouse = createMainClient({
      url: 'http://gatehouse.test',
      session: 'cookie',
      store,
      refresh: false,
      fetch: () =>
        Promise.resolve(
          Response.json([{ result: { data: {} } }], {
            headers: { date: new Date(Date.now() - DAY_MS).toUTCString() },
          }),
        ),
    });
    const changes: SessionChange[] = [];
    const stop = gatehouse.subscribe((change) => void changes.push(change));
    await gatehouse.api.session.me.query();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([gatehouse.isSignedIn, changes]).toEqual([true, []]);
    stop();
  });
});
