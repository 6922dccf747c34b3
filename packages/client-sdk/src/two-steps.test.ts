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
  it('throws an error with what the second step needs, and continues with it', async () => {
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

  it('proves the caller when a call requires it, once for concurrent calls, and repeats each once', async () => {
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

describe('a client that asks for a proof', () => {
  /** A member whose proof is too old, and a client that asks and waits for the answer. */
  async function askedLate() {
    const world = await startWorld();
    const member = await world.enrolled();
    const store = memoryStore(member.token);
    const asked: ((proof: Proof | undefined) => void)[] = [];
    const paths: string[] = [];
    const gatehouse = createMainClient({
      url: world.main.url,
      store,
      onVerification: () => new Promise((resolve) => void asked.push(resolve)),
      fetch: (input, init) => {
        paths.push(new URL(String(input)).pathname.replace('/trpc/', ''));
        return fetch(input, init);
      },
    });
    world.wait(11 * 60_000);
    return {
      world,
      member,
      store,
      asked,
      paths,
      gatehouse,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  }

  it('completes although the requesting call was aborted, and an aborted call that waits for it ends immediately', async () => {
    await using late = await askedLate();
    const { gatehouse, asked, member } = late;
    const ending = new AbortController();
    const { signal } = ending;
    const ended = thrown(gatehouse.withAccount(3).api.totp.start.mutate(undefined, { signal }));
    const other = gatehouse.api.factor.newBackupCodes.mutate();
    await expect.poll(() => asked.length).toBe(1);
    ending.abort();
    expect(await ended).toMatchObject({ cause: { name: 'AbortError' } });
    asked[0]?.({ code: member.code() });
    expect((await other).data.backupCodes).toHaveLength(10);
    expect(asked).toHaveLength(1);
  });

  it('repeats no call and proves nothing as a member who signed in meanwhile', async () => {
    await using late = await askedLate();
    const { gatehouse, asked, paths, world, member, store } = late;
    const another = await world.enrolled();
    world.wait(11 * 60_000);
    for (const change of [() => gatehouse.adoptToken(another.token), () => store.set(member.token)]) {
      paths.length = 0;
      const call = thrown(gatehouse.api.totp.start.mutate());
      await expect.poll(() => asked.length).toBe(1);
      change();
      const ofAnother = gatehouse.api.session.me.query();
      asked.shift()?.({ code: member.code() });
      expect(String(await call)).toContain('The sign-in changed');
      await ofAnother;
      expect(paths).toEqual(['totp.start', 'session.me']);
    }
  });

  it('asks the member who signed in meanwhile for their own proof', async () => {
    await using late = await askedLate();
    const { gatehouse, asked, world, member } = late;
    const another = await world.enrolled();
    world.wait(11 * 60_000);
    const call = thrown(gatehouse.api.totp.start.mutate());
    await expect.poll(() => asked.length).toBe(1);
    gatehouse.adoptToken(another.token);
    const next = gatehouse.api.totp.start.mutate();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.({ code: another.code() });
    expect((await next).data.secret).toMatch(/^[A-Z2-7]+$/);
    asked[0]?.({ code: member.code() });
    expect(String(await call)).toContain('The sign-in changed');
  });

  it('fails the call when the prompt fails, and prompts again for the next call', async () => {
    await using world = await startWorld();
    const member = await world.enrolled();
    let asked = 0;
    const gatehouse = createMainClient({
      url: world.main.url,
      store: memoryStore(member.token),
      onVerification() {
        asked += 1;
        throw new Error('The dialog is broken');
      },
    });
    world.wait(11 * 60_000);
    for (const times of [1, 2]) {
      const refused = await thrown(gatehouse.api.totp.start.mutate());
      expect([isGatehouseError(refused, 'verification_required'), asked]).toEqual([true, times]);
    }
  });
});

describe('a client whose token is past half of its lifetime', () => {
  it('gets a new one during a call, once, without notifying listeners', async () => {
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
    const { session } = gatehouse.api;
    await Promise.all([
      session.endMany.mutate({ others: true }),
      ...Array.from({ length: 10 }, () => session.me.query()),
    ]);
    await expect.poll(() => gatehouse.token).not.toBe(token);
    await session.me.query();
    const refreshes = paths.filter((path) => path.includes('session.refresh'));
    expect(refreshes.map((path) => new URL(path).pathname)).toEqual(['/trpc/session.refresh']);
    expect(changes).toEqual([]);
    expect(tokenLife(gatehouse.token ?? '', false)?.issuedAtMs).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a client that is told to refresh', () => {
  it('keeps the token that the service returns', async () => {
    await using service = await startService(createApp, {
      dialect: 'libsql',
      application: 'web',
      now: () => Date.now() - 4 * 86_400_000,
    });
    const begun = createMainClient({ url: service.url, store: memoryStore() });
    await begun.signIn({ email: 'owner@acme.test', password });
    await using now = await startService(createApp, {
      dialect: 'libsql',
      application: 'web',
      database: service.database,
    });
    const gatehouse = createMainClient({ url: now.url, store: memoryStore(begun.token), refresh: false });
    const { data } = await gatehouse.api.session.refresh.mutate();
    expect([gatehouse.token === data.token, gatehouse.token === begun.token]).toEqual([true, false]);
  });
});

describe('a client on a server', () => {
  it('keeps no session and signs nobody in without a store', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const gatehouse = createMainClient({ url: service.url });
    const before = (await service.database.select().from(service.database.tables.sessions)).length;
    const refused = await thrown(gatehouse.signIn({ email: 'owner@acme.test', password }));
    expect(String(refused)).toContain('On a server a client keeps no session');
    expect(() => {
      gatehouse.adoptToken('a token');
    }).toThrow('On a server a client keeps no session');
    expect(gatehouse.token).toBeNull();
    expect((await service.database.select().from(service.database.tables.sessions)).length).toBe(before);
  });
});

async function startWorld(): Promise<FactorWorld> {
  return startFactorWorld({}, 'libsql');
}
