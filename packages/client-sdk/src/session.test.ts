import { createApp } from '@gatehouse/api-main/app';
import { signInByPassword, startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createMainClient, isGatehouseError, memoryStore, perCall, type SessionChange } from './main.js';

const password = 'Lantern-Harbor-42';
const owner = { email: 'owner@acme.test', password };
const start = () => startService(createApp, { dialect: 'libsql', application: 'web' });
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('the session of a client', () => {
  it('tells who listens when it begins, ends, and is refused', async () => {
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

  it('outlives the refusal of the token that was there before it', async () => {
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

  it('is left alone by a call that brings a token of its own', async () => {
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

  it('ends here when the service cannot be told, and says so', async () => {
    const service = await start();
    const gatehouse = createMainClient({ url: service.url, store: memoryStore(), retry: false });
    await gatehouse.signIn(owner);
    await service[Symbol.asyncDispose]();
    expect(await thrown(gatehouse.signOut())).toBeInstanceOf(Error);
    expect(gatehouse.token).toBeNull();
    expect(await gatehouse.signOut()).toBeUndefined();
  });

  it('is taken over from a registration', async () => {
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
});
