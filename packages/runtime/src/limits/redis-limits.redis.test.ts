import { startPrivateRedis } from '@gatehouse/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { createRedisLimits } from './redis-limits.js';

const WINDOW_MS = 120_000;

const silent = () => ({ notice: vi.fn<() => void>(), failure: vi.fn<() => void>() });

describe('a counter in Redis', () => {
  it('adds points once, to a counter that ends, where Redis refuses to set an end later', async () => {
    await using server = await startPrivateRedis();
    const client = new Redis(server.url);
    await client.acl('SETUSER', 'default', '-pexpire');
    const limits = createRedisLimits(server.url, silent());
    expect(await limits.add({ key: 'one', windowMs: WINDOW_MS }, 2)).toBe(2);
    expect(await limits.add({ key: 'one', windowMs: WINDOW_MS }, 3)).toBe(5);
    const [key = ''] = await client.keys('*');
    expect(await client.pttl(key)).toBeGreaterThan(WINDOW_MS / 2);
    await limits.close();
    client.disconnect();
  });

  it('logs an outage once, however many counters fail', async () => {
    await using server = await startPrivateRedis();
    const log = silent();
    const limits = createRedisLimits(server.url, log);
    const addAll = () =>
      Promise.all(
        Array.from({ length: 100 }, (_, id) => limits.add({ key: `${id}`, windowMs: WINDOW_MS }, 1)),
      );
    expect(await addAll()).toEqual(Array.from({ length: 100 }, () => 1));
    await server.stop();
    await vi.waitFor(() => expect(log.notice).toHaveBeenCalledWith('redis.away'), { timeout: 10_000 });
    expect(new Set(await addAll())).toEqual(new Set([undefined]));
    expect(log.notice).toHaveBeenCalledTimes(1);
    expect(log.failure).not.toHaveBeenCalled();
    await limits.close();
  });
});
