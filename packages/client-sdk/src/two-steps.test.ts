import { createApp } from '@gatehouse/api-main/app';
import { type FactorWorld, startFactorWorld } from '@gatehouse/features/test/factor-world';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  createMainClient,
  isGatehouseError,
  isSecondFactorRequired,
  memoryStore,
  type Proof,
  perCall,
  type VerificationNeed,
} from './main.js';
import { tokenLife } from './token-life.js';

const password = 'Lantern-Harbor-42';
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('a client of members who sign in in two steps', () => {
  it('throws what the second step takes, and goes on with it', async () => {
    await using world = await startWorld();
    const member = await world.enrolled();
    const gatehouse = createMainClient({ url: world.main.url, store: memoryStore() });
    const refusal = await thrown(gatehouse.signIn({ email: member.email, password }));
    if (!isSecondFactorRequired(refusal)) throw new Error('no second step');
    expect(refusal.data.methods).toEqual(['totp', 'backupCode']);
    expect(gatehouse.isSignedIn).toBe(false);
    const wrong = await thrown(gatehouse.continueSignIn(refusal, { code: member.wrongCode() }));
    expect(isGatehouseError(wrong, 'invalid_credentials')).toBe(true);
    const signedIn = await gatehouse.continueSignIn(refusal, { code: member.code() });
    expect([signedIn.userId, signedIn.level, signedIn.methods]).toEqual([member.id, 2, ['pwd', 'totp']]);
    expect('token' in signedIn).toBe(false);
    expect((await gatehouse.api.session.me.query()).member.id).toBe(member.id);
  });

  it('proves who calls when a call asks, once for calls of one moment, and repeats each once', async () => {
    await using world = await startWorld();
    const member = await world.enrolled();
    const needs: VerificationNeed[] = [];
    let proof: Proof | undefined = { code: member.code() };
    const gatehouse = createMainClient({
      url: world.main.url,
      store: memoryStore(member.token),
      onVerification(need) {
        needs.push(need);
        return Promise.resolve(proof);
      },
    });
    world.wait(11 * 60_000);
    proof = { code: member.code() };
    const { factor, totp } = gatehouse.api;
    await Promise.all([factor.newBackupCodes.mutate(), totp.start.mutate()]);
    expect(needs).toEqual([{ level: 2, maxAgeSeconds: 600, methods: ['totp', 'backupCode'] }]);

    world.wait(11 * 60_000);
    proof = { code: member.wrongCode() };
    const wrong = await thrown(totp.start.mutate());
    expect(isGatehouseError(wrong, 'invalid_credentials')).toBe(true);
    proof = undefined;
    expect(isGatehouseError(await thrown(totp.start.mutate()), 'verification_required')).toBe(true);
    expect(needs).toHaveLength(3);
    const own = await thrown(totp.start.mutate(undefined, perCall({ token: member.token })));
    expect(isGatehouseError(own, 'verification_required')).toBe(true);
    expect(needs).toHaveLength(3);
  });
});

describe('a client whose token is past half of its life', () => {
  it('gets a new one while it calls, once, and tells nobody', async () => {
    await using service = await startService(createApp, {
      dialect: 'libsql',
      application: 'web',
      now: () => Date.now() - 4 * 86_400_000,
    });
    const begun = createMainClient({ url: service.url, store: memoryStore() });
    await begun.signIn({ email: 'owner@acme.test', password });
    const token = begun.token ?? '';
    await using now = await startService(createApp, {
      dialect: 'libsql',
      application: 'web',
      database: service.database,
    });
    const paths: string[] = [];
    const changes: unknown[] = [];
    const store = memoryStore(token);
    const gatehouse = createMainClient({
      url: now.url,
      store,
      fetch: (input, init) => {
        paths.push(String(input));
        return fetch(input, init);
      },
    });
    gatehouse.subscribe((change) => void changes.push(change));
    await Promise.all(Array.from({ length: 10 }, () => gatehouse.api.session.me.query()));
    await expect.poll(() => gatehouse.token).not.toBe(token);
    await gatehouse.api.session.me.query();
    expect(paths.filter((path) => path.includes('session.refresh'))).toHaveLength(1);
    expect(changes).toEqual([]);
    expect(tokenLife(gatehouse.token ?? '', false)?.issuedAtMs).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a client on a server', () => {
  it('keeps no session without a store, and signs nobody in', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const gatehouse = createMainClient({ url: service.url });
    const before = (await service.database.select().from(service.database.tables.sessions)).length;
    const refused = await thrown(gatehouse.signIn({ email: 'owner@acme.test', password }));
    expect(String(refused)).toContain('name a store');
    expect(() => {
      gatehouse.adoptToken('a token');
    }).toThrow('name a store');
    expect(gatehouse.token).toBeNull();
    expect((await service.database.select().from(service.database.tables.sessions)).length).toBe(before);
  });
});

describe('a client in cookie mode', () => {
  it('has no token, and acts by the cookie that its browser keeps', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    let jar = '';
    const gatehouse = createMainClient({
      url: service.url,
      session: 'cookie',
      store: memoryStore(),
      async fetch(input, init) {
        const headers = new Headers(init?.headers);
        headers.set('sec-fetch-site', 'same-origin');
        if (jar !== '') headers.set('cookie', jar);
        expect([init?.credentials, headers.has('token')]).toEqual(['include', false]);
        const response = await fetch(input, { ...init, headers });
        const [line] = response.headers.getSetCookie();
        if (line !== undefined) jar = line.includes('Max-Age=0') ? '' : (line.split(';')[0] ?? '');
        return response;
      },
    });
    await gatehouse.signIn({ email: 'owner@acme.test', password });
    expect([gatehouse.token, gatehouse.isSignedIn]).toEqual([null, true]);
    expect((await gatehouse.withAccount(1).api.session.me.query()).currentAccount?.accountId).toBe(1);
    await gatehouse.signOut();
    expect([jar, gatehouse.isSignedIn]).toEqual(['', false]);
    const refused = await thrown(gatehouse.api.session.me.query());
    expect(isGatehouseError(refused, 'unauthorized')).toBe(true);
  });
});

async function startWorld(): Promise<FactorWorld> {
  return startFactorWorld({}, 'libsql');
}
