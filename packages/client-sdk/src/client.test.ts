import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createAdminClient } from './admin.js';
import { createMainClient, isGatehouseError, memoryStore, perCall } from './main.js';

const password = 'Lantern-Harbor-42';
const startMain = () => startService(createMainApp, { dialect: 'libsql', application: 'web' });

describe('the client of the main service', () => {
  it('signs in, acts in an account, is refused another, and signs out', async () => {
    await using service = await startMain();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore() });
    expect(await gatehouse.signIn({ email: 'owner@acme.test', password })).toMatchObject({
      userId: 3,
      role: 1,
      accountId: 1,
    });
    const { data } = await gatehouse.withAccount(1).api.member.list.query({});
    expect(data.map(({ id }) => id)).toContain(7);

    const refusal = await gatehouse
      .withAccount(3)
      .api.member.list.query({})
      .catch((error: unknown) => error);
    expect(isGatehouseError(refusal, 'account_forbidden')).toBe(true);
    expect(isGatehouseError(refusal, 'unauthorized')).toBe(false);

    const { token } = gatehouse;
    await gatehouse.signOut();
    expect(gatehouse.token).toBeNull();
    expect((await service.send('/auth/me', { token: token ?? '' })).status).toBe(401);
  });

  it('shares one session between its accounts, in the given store', async () => {
    await using service = await startMain();
    const store = memoryStore();
    const gatehouse = createMainClient({ url: service.url, store });
    const inAccount = gatehouse.withAccount(1);
    await inAccount.signIn({ email: 'owner@acme.test', password });
    expect(store.get()).toBe(gatehouse.token);
    expect((await gatehouse.api.session.me.query()).currentAccount).toBeNull();
    expect((await inAccount.api.session.me.query()).currentAccount?.accountId).toBe(1);
  });

  it('sends concurrent calls as one batch', async () => {
    await using service = await startMain();
    const urls: string[] = [];
    const gatehouse = createMainClient({
      url: service.url,
      store: memoryStore(),
      fetch: (input, init) => {
        urls.push(String(input));
        return fetch(input, init);
      },
    });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    await Promise.all([gatehouse.api.session.me.query(), gatehouse.api.session.list.query({})]);
    expect(urls).toHaveLength(2);
    expect(urls[1]).toContain('session.me,session.list');
  });

  it('sends batches no larger than the service accepts, one for each account', async () => {
    await using service = await startMain();
    const batches: string[] = [];
    const gatehouse = createMainClient({
      url: service.url,
      store: memoryStore(),
      fetch: (input, init) => {
        const account = new Headers(init?.headers).get('accountid') ?? '-';
        batches.push(`${account}: ${new URL(String(input)).pathname.split(',').length}`);
        return fetch(input, init);
      },
    });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    batches.length = 0;
    const { api } = gatehouse;
    const selected = await Promise.all([
      ...Array.from({ length: 45 }, () => gatehouse.withAccount(1).api.session.me.query()),
      api.session.me.query(undefined, perCall({ accountId: 2 })),
      gatehouse.withAccount(1).api.session.me.query(undefined, perCall({ accountId: null })),
    ]);
    expect(selected.slice(44).map(({ currentAccount }) => currentAccount?.accountId)).toEqual([
      1,
      2,
      undefined,
    ]);
    expect(batches.sort()).toEqual(['-: 1', '1: 20', '1: 20', '1: 5', '2: 1']);
  });

  it('sends the given device id, and none of its own on a server', async () => {
    await using service = await startMain();
    const sent: (string | null)[] = [];
    const send: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get('x-device-id'));
      return fetch(input, init);
    };
    const { url } = service;
    for (const more of [{}, { deviceId: 'a-device-of-a-phone' }, { deviceId: null }]) {
      const gatehouse = createMainClient({ url, store: memoryStore(), fetch: send, ...more });
      await gatehouse.signIn({ email: 'owner@acme.test', password });
    }
    expect(sent).toEqual([null, 'a-device-of-a-phone', null]);
  });

  it('says for which application it signs in', async () => {
    await using service = await startMain();
    const designer = createMainClient({ url: service.url, store: memoryStore(), application: 'designer' });
    const refusal = await designer
      .signIn({ email: 'owner@acme.test', password })
      .catch((error: unknown) => error);
    expect(isGatehouseError(refusal, 'role_not_allowed')).toBe(true);
    expect(await designer.signIn({ email: 'designer@acme.test', password })).toMatchObject({ role: 4 });
  });
});

describe('the client of the admin service', () => {
  it('signs in staff and nobody else', async () => {
    await using service = await startService(createAdminApp, { dialect: 'libsql', application: 'admin' });
    const gatehouse = createAdminClient({ url: service.url, store: memoryStore() });
    const refusal = await gatehouse
      .signIn({ email: 'owner@acme.test', password })
      .catch((error: unknown) => error);
    expect(isGatehouseError(refusal, 'role_not_allowed')).toBe(true);
    await gatehouse.signIn({ email: 'staff@gatehouse.test', password });
    const me = await gatehouse.api.session.me.query();
    expect(me.grants.map(({ accountId }) => accountId)).toEqual([2]);
  });
});
