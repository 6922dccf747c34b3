import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createMainClient, isGatehouseError, memoryStore, perCall } from './main.js';
import { startStumblingProxy } from './test/stumbling-proxy.js';

const password = 'Lantern-Harbor-42';

/** The signed-in owner of account 1, behind a proxy that can make requests fail. */
async function start() {
  const service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  const proxy = await startStumblingProxy(service.url);
  const gatehouse = createMainClient({ url: proxy.url, store: memoryStore() });
  await gatehouse.signIn({ email: 'owner@acme.test', password });
  proxy.requests.length = 0;
  return {
    proxy,
    gatehouse,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('a query', () => {
  it('succeeds despite a broken connection and a gateway that answers instead of the service', async () => {
    await using world = await start();
    world.proxy.stumbles.push('reset', 'gateway');
    expect((await world.gatehouse.api.session.me.query()).member.id).toBe(3);
    expect(world.proxy.requests).toHaveLength(3);
  });

  it('is repeated when the service says, not before', async () => {
    await using world = await start();
    world.proxy.stumbles.push({ reason: 'unavailable', retryAfterSeconds: 1 });
    await world.gatehouse.api.session.me.query();
    const [first, second] = world.proxy.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(995);
  });

  it('fails after three tries with the last error', async () => {
    await using world = await start();
    world.proxy.stumbles.push('reset', 'reset', 'gateway', 'reset');
    const error = await thrown(world.gatehouse.api.session.me.query());
    expect(String(error)).toContain('a gateway answered 502');
    expect(isGatehouseError(error)).toBe(false);
    expect(world.proxy.requests).toHaveLength(3);
  });

  it("does not wait when the service's Retry-After is over ten seconds", async () => {
    await using world = await start();
    world.proxy.stumbles.push({ reason: 'rate_limited', retryAfterSeconds: 3600 });
    const error = await thrown(world.gatehouse.api.session.me.query());
    expect(isGatehouseError(error, 'rate_limited') && error.data.retryAfterSeconds).toBe(3600);
    expect(world.proxy.requests).toHaveLength(1);
  });

  it('ends when it is aborted, even while it waits for a retry', async () => {
    await using world = await start();
    world.proxy.stumbles.push({ reason: 'unavailable', retryAfterSeconds: 10 });
    const waiting = new AbortController();
    const call = thrown(world.gatehouse.api.session.me.query(undefined, { signal: waiting.signal }));
    await expect.poll(() => world.proxy.requests.length).toBe(1);
    waiting.abort();
    expect(await call).toMatchObject({ cause: { name: 'AbortError' } });
    const before = await thrown(
      world.gatehouse.api.session.me.query(undefined, { signal: AbortSignal.abort() }),
    );
    expect(before).toMatchObject({ cause: { name: 'AbortError' } });
    expect(world.proxy.requests).toHaveLength(1);
  });

  it('is aborted alone, even if other calls share its batch', async () => {
    await using world = await start();
    const { api } = world.gatehouse;
    const ending = new AbortController();
    const ended = thrown(api.session.list.query({}, { signal: ending.signal }));
    const other = api.session.me.query();
    ending.abort();
    expect(await ended).toMatchObject({ cause: { name: 'AbortError' } });
    expect((await other).member.id).toBe(3);
  });
});

describe('a call that waits for a retry', () => {
  it('is not repeated in another sign-in', async () => {
    await using world = await start();
    const { gatehouse, proxy } = world;
    proxy.stumbles.push({ reason: 'rate_limited', retryAfterSeconds: 1 });
    const call = thrown(gatehouse.api.session.endMany.mutate({ others: true }));
    await expect.poll(() => proxy.requests.length).toBe(1);
    await gatehouse.signIn({ email: 'manager@acme.test', password });
    expect(String(await call)).toContain('The sign-in changed');
    expect(proxy.requests).toHaveLength(2);
  });
});

describe('a mutation', () => {
  it('is not repeated when it may have been executed', async () => {
    await using world = await start();
    const { gatehouse, proxy } = world;
    for (const stumble of ['reset', 'gateway', { reason: 'unavailable', retryAfterSeconds: 0 }] as const) {
      proxy.stumbles.push(stumble);
      expect(await thrown(gatehouse.api.session.endMany.mutate({ others: true }))).toBeInstanceOf(Error);
    }
    expect(proxy.requests).toHaveLength(3);
  });

  it('is repeated when the service refused it before it did anything, or the caller says a repeat does no harm', async () => {
    await using world = await start();
    const { gatehouse, proxy } = world;
    proxy.stumbles.push({ reason: 'rate_limited', retryAfterSeconds: 0 });
    await gatehouse.api.session.endMany.mutate({ others: true });
    proxy.stumbles.push('lostAnswer');
    await gatehouse.api.session.endMany.mutate({ others: true }, perCall({ isRepeatable: true }));
    expect(proxy.requests).toHaveLength(4);
  });

  it('is repeated when it signs in with a password or signs out', async () => {
    await using world = await start();
    const { gatehouse, proxy } = world;
    proxy.stumbles.push('lostAnswer');
    expect((await gatehouse.signIn({ email: 'owner@acme.test', password })).userId).toBe(3);
    proxy.stumbles.push('lostAnswer');
    await gatehouse.signOut();
    expect(gatehouse.token).toBeNull();
    expect(proxy.requests).toHaveLength(4);
  });
});
