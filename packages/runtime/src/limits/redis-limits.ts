import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../log/log.js';
import type { Limit, LimitStore } from './limit-store.js';

const PREFIX = 'gatehouse:limit:';
const CONNECT_TIMEOUT_MS = 1_000;
const COMMAND_TIMEOUT_MS = 500;
const MAX_RECONNECT_MS = 2_000;
const KEYS_PER_SCAN = 1_000;

/**
 * Adds to a counter like the database store. If no point is left, it adds nothing, so refunds never free more
 * than was consumed. A counter whose window has ended accepts no refund.
 */
const ADD_WITHIN_LIMIT = `
local change, windowSeconds, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local leftMs = redis.call('pttl', KEYS[1])
if leftMs < 0 then
  if change < 0 then return {0, 0} end
  redis.call('set', KEYS[1], change, 'EX', windowSeconds)
  return {change, windowSeconds * 1000}
end
local points = tonumber(redis.call('get', KEYS[1]))
if points + change > most then return {most + 1, leftMs} end
if points + change < 0 then return {0, leftMs} end
return {redis.call('incrby', KEYS[1], change), leftMs}
`;

/**
 * Counts in Redis or Valkey. While it is unavailable, each node counts in memory: limits then hold per node,
 * every request is still counted, and none is refused because of the outage.
 */
export function createRedisLimits(url: string, log: Pick<Logger, 'notice' | 'failure'>): LimitStore {
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A server that accepts connections but never answers is regarded as unavailable. Otherwise every command would wait for its
    // full time-out.
    socketTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempts) => Math.min(100 * attempts, MAX_RECONNECT_MS),
  });
  tellOutages(client, log);
  const firstTry = settled(client);
  const limiters = new Map<string, RateLimiterRedis>();

  const inMemory: MemoryLimiter[] = [];

  function limiterOf({ most, windowMs }: Limit): RateLimiterRedis {
    const name = `${most}/${windowMs}`;
    const known = limiters.get(name);
    if (known) return known;
    const options = { keyPrefix: '', points: most, duration: windowMs / 1000 };
    const insuranceLimiter = new MemoryLimiter(options);
    inMemory.push(insuranceLimiter);
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: client,
      customIncrTtlLuaScript: ADD_WITHIN_LIMIT,
      rejectIfRedisNotReady: true,
      insuranceLimiter,
    });
    limiters.set(name, limiter);
    return limiter;
  }

  async function removeMatching(pattern: string): Promise<number> {
    let cursor = '0';
    let removed = 0;
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN);
      if (keys.length > 0) removed += await client.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
    return removed;
  }

  return {
    async consume(limit) {
      await firstTry;
      try {
        await limiterOf(limit).consume(PREFIX + limit.key);
        return { isAllowed: true };
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return { isAllowed: false, endsInMs: refusal.msBeforeNext };
        throw refusal;
      }
    },
    async add({ key, windowMs }, points) {
      await firstTry;
      // The outage is in the log already, and there is a call for each counter.
      if (client.status !== 'ready') return undefined;
      try {
        // Sent together, so that every counter has its end.
        const [, total] = await Promise.all([
          client.set(PREFIX + key, 0, 'PX', windowMs, 'NX'),
          client.incrby(PREFIX + key, points),
        ]);
        return total;
      } catch (error) {
        // Until then each node counts alone, and adds to Redis again later.
        log.failure('limits', error);
        return undefined;
      }
    },
    async refund(limits) {
      for (const limit of limits) await limiterOf(limit).reward(PREFIX + limit.key);
    },
    together: (db, body) => body(db),
    async usedUpFor({ key, most }) {
      try {
        const [points, leftMs] = await Promise.all([client.get(PREFIX + key), client.pttl(PREFIX + key)]);
        return Number(points ?? 0) >= most && leftMs > 0 ? leftMs : undefined;
      } catch (error) {
        // Until then each node counts alone, so nobody is locked on all nodes.
        log.failure('limits', error);
        return undefined;
      }
    },
    async remove(prefix) {
      try {
        return await removeMatching(`${PREFIX}${prefix.replaceAll(/[\\*?[\]]/g, '\\$&')}*`);
      } catch (error) {
        // A password reset does not wait for Redis. The counts of this node are deleted; the rest ends with its window.
        log.failure('limits', error);
        const removed = inMemory.map((limiter) => limiter.removeAll(PREFIX + prefix));
        return (await Promise.all(removed)).reduce((sum, count) => sum + count, 0);
      }
    },
    isShared: () => client.status === 'ready',
    close() {
      client.disconnect();
      return Promise.resolve();
    },
  };
}

/** Counts in memory, and knows the keys whose window has not ended. */
class MemoryLimiter extends RateLimiterMemory {
  /** When the window of each key ends, in monotonic milliseconds: all windows are equally long, so the first ends first. */
  private readonly ends = new Map<string, number>();

  override consume(key: string, ...more: [points?: number, options?: object]): Promise<RateLimiterRes> {
    const nowMs = performance.now();
    for (const [known, endMs] of this.ends) {
      if (endMs > nowMs) break;
      this.ends.delete(known);
    }
    if (!this.ends.has(key)) this.ends.set(key, nowMs + this.duration * 1000);
    return super.consume(key, ...more);
  }

  /** Forgets the counts whose keys begin with a text. Resolves to their number. */
  async removeAll(prefix: string): Promise<number> {
    const found = [...this.ends.keys()].filter((key) => key.startsWith(prefix));
    for (const key of found) {
      this.ends.delete(key);
      await this.delete(key);
    }
    return found.length;
  }
}

/**
 * Resolves when the first connection succeeded or failed, so that a starting node uses shared counts from the
 * beginning.
 */
function settled(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
  });
}

/** Logs one line when the connection is lost and one when it is back, not one per attempt. */
function tellOutages(client: Redis, log: Pick<Logger, 'notice'>): void {
  let isAway = false;
  client.on('error', () => {
    if (!isAway) log.notice('redis.away');
    isAway = true;
  });
  client.on('ready', () => {
    if (isAway) log.notice('redis.back');
    isAway = false;
  });
}
