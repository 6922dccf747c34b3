import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { type RunningService, startService } from '@gatehouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFirstWaveWorld } from './test/first-wave-world.js';
import { type FirstWave, loadFirstWave } from './test/load-first-wave.js';
import { createTestPage } from './test/test-page.js';

const password = 'Lantern-Harbor-42';

let client: FirstWave;
beforeAll(async () => {
  client = await loadFirstWave();
});
afterAll(() => client[Symbol.asyncDispose]());

const startMain = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

function oneUse({ services }: RunningService, kind: 'social' | 'partner'): string {
  const { tokens } = services;
  const userId = 7;
  if (kind === 'social')
    return tokens.sealOneUse({ type: 'socialLogin', userId, provider: 'google' }, 300).token;
  const claims = { role: null, defaultPaymentId: null, accountIds: [], partnerId: null };
  return tokens.sealOneUse({ type: 'partnerLogin', userId, ...claims }, 300).token;
}

describe('the published client of the first wave, for members without a second factor', () => {
  it('signs in by every credential it knows, keeps the token, and signs out', async () => {
    await using service = await startMain();
    const gatehouse = client.createMainClient({ url: service.url });
    const changes: unknown[] = [];
    gatehouse.subscribe((change) => void changes.push(change));
    const credentials = [
      { email: 'owner@acme.test', password },
      { sid: 'owner@acme.test', password },
      { social: true, token: oneUse(service, 'social') },
      { tempLogin: true, token: oneUse(service, 'partner') },
    ] as const;
    const users: number[] = [];
    for (const each of credentials) {
      const signedIn = await gatehouse.signIn(each);
      expect(Object.keys(signedIn).toSorted()).toEqual(['accountId', 'role', 'userId']);
      users.push(signedIn.userId);
      expect((await gatehouse.api.session.me.query()).member.id).toBe(signedIn.userId);
      await gatehouse.signOut();
      expect(gatehouse.token).toBeNull();
    }
    expect(users).toEqual([3, 3, 7, 7]);
    expect(changes).toHaveLength(8);
    const wrong = await thrown(gatehouse.signIn({ email: 'owner@acme.test', password: 'wrong' }));
    expect(client.isGatehouseError(wrong, 'invalid_credentials')).toBe(true);
  });

  it('acts in accounts, by sessions, tokens and batches, and is told what it may not', async () => {
    await using service = await startMain();
    const gatehouse = client.createMainClient({ url: service.url });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const acme = gatehouse.withAccount(1);
    const { api } = acme;
    const [members, found, detail, accounts, talks, subscriptions] = await Promise.all([
      api.member.list.query({ limit: 200 }),
      api.member.search.query({ username: 'e' }),
      api.member.detail.query({ userId: 7 }),
      api.account.search.query({ search: '' }),
      api.conversation.list.query({}),
      api.subscription.list.query({}),
    ]);
    expect([members.data.length, detail.data.id]).toEqual([7, 7]);
    for (const list of [found, accounts, talks, subscriptions]) expect(list.data).toBeInstanceOf(Array);
    const other = await api.member.list.query({}, client.perCall({ accountId: 2 }));
    expect(other.data.length).toBeGreaterThan(0);
    const forbidden = await thrown(gatehouse.withAccount(3).api.member.list.query({}));
    expect(client.isGatehouseError(forbidden, 'account_forbidden')).toBe(true);
    const token = gatehouse.token ?? '';
    const mine = await client
      .createMainClient({ url: service.url })
      .api.session.me.query(undefined, client.perCall({ token }));
    expect(mine.member.id).toBe(3);
    const bearer = await gatehouse.api.login.bearer.mutate({ email: 'owner@acme.test', password });
    const health = await gatehouse.api.health.bearer.query(
      undefined,
      client.perCall({ bearer: bearer.token }),
    );
    expect(health).toBeTypeOf('object');
  });

  it('manages sessions, password and connections without a verification', async () => {
    await using service = await startMain();
    const gatehouse = client.createMainClient({ url: service.url });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    const another = client.createMainClient({ url: service.url });
    await another.signIn({ email: 'owner@acme.test', password });
    const { data } = await gatehouse.api.session.list.query({});
    expect(data).toHaveLength(2);
    const [first] = data.filter(({ isCurrent }) => !isCurrent);
    await gatehouse.api.session.endMany.mutate({ sessionId: first?.id ?? 0 });
    expect(client.isGatehouseError(await thrown(another.api.session.me.query()), 'unauthorized')).toBe(true);
    expect(another.token).toBeNull();
    await gatehouse.api.session.endMany.mutate({ others: true });
    await gatehouse.api.password.change.mutate({
      currentPassword: password,
      newPassword: 'Copper-Meadow-17',
    });
    expect((await gatehouse.api.session.me.query()).member.id).toBe(3);
    expect((await gatehouse.api.social.list.query({})).data).toEqual([]);
  });

  it('registers somebody and takes their session over', async () => {
    await using service = await startMain();
    const gatehouse = client.createMainClient({ url: service.url });
    const { token = '' } = await gatehouse.api.registration.register.mutate({
      username: 'ada',
      email: 'ada@lovelace.test',
      password: 'Analytical-Engine-1843',
    });
    gatehouse.adoptToken(token);
    expect((await gatehouse.api.session.me.query()).member.email).toBe('ada@lovelace.test');
  });

  it('serves staff at the admin service', async () => {
    await using service = await startService(createAdminApp, { dialect: 'libsql', application: 'admin' });
    const gatehouse = client.createAdminClient({ url: service.url });
    await gatehouse.signIn({ email: 'root@gatehouse.test', password });
    const { api } = gatehouse;
    const [members, accounts, audit] = await Promise.all([
      api.member.search.query({ search: 'acme' }),
      api.account.list.query({}),
      api.audit.list.query({}),
    ]);
    expect([members.data.length > 0, accounts.data.length, audit.data.length > 0]).toEqual([true, 3, true]);
    const issued = await api.session.issueAuthToken.mutate();
    expect(issued.token).toMatch(/^gat_/);
    await gatehouse.signOut();
    expect(gatehouse.token).toBeNull();
  });

  it('sends browsers to providers, and finishes what began there', async () => {
    await using world = await startFirstWaveWorld();
    const gatehouse = client.createMainClient({ url: world.main.url });
    const page = createTestPage();
    const comeBack = async (decision?: 'deny') => {
      page.open((await world.visit(page.location.href, decision)).href);
      return client.finishSocial(gatehouse, page);
    };
    client.startSocialSignIn(gatehouse, 'google', page);
    const end = await comeBack();
    expect(end).toMatchObject({ kind: 'signedIn', signedIn: { userId: expect.any(Number) } });
    expect(page.location.href).not.toContain('user=');
    const { id } = (await gatehouse.api.session.me.query()).member;

    await client.startConnecting(gatehouse, 'github', page);
    expect(await comeBack()).toMatchObject({ kind: 'connected', connection: { provider: 'github' } });
    await client.startConnecting(gatehouse, 'facebook', page);
    expect(await comeBack('deny')).toEqual({ kind: 'refused', reason: 'access_denied' });
    expect(await client.finishSocial(gatehouse, page)).toEqual({ kind: 'none' });

    await gatehouse.signOut();
    page.open(`${world.main.url}/social/github`);
    const unexpected = await comeBack();
    if (unexpected.kind !== 'unexpected') throw new Error(unexpected.kind);
    expect(gatehouse.token).toBeNull();
    expect((await unexpected.signIn()).userId).toBe(id);
  });
});
