import type { Database } from '@gatehouse/db/database';
import { createRedisLimits } from '@gatehouse/runtime/limits/redis-limits';
import { createLogger } from '@gatehouse/runtime/log/log';
import { createTestDatabase } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createKeyUse } from './key-use.js';

const log = createLogger({ service: 'test', level: 'silent' });
const ONE = { id: 1, accountId: 1, perMinute: 5 };
const TWO = { id: 2, accountId: 1, perMinute: 5 };

/** A store that also has the calls of other nodes, and the counts of each key with how it answers the next ones. */
function storeWith(elsewhere: number) {
  const totals = new Map<string, number>();
  const next = new Map<string, Error | undefined>();
  return {
    totals,
    answerNext: (id: number, answer: Error | undefined) => next.set(`api-key:${id}:0`, answer),
    add({ key }: { readonly key: string }, points: number): Promise<number | undefined> {
      if (next.has(key)) {
        const answer = next.get(key);
        next.delete(key);
        return answer === undefined ? Promise.resolve(undefined) : Promise.reject(answer);
      }
      const total = (totals.get(key) ?? elsewhere) + points;
      totals.set(key, total);
      return Promise.resolve(total);
    },
  };
}

const withoutUses = (db: Database): Database => ({ ...db, write: () => Promise.resolve(0) });

describe('the counts of API keys', () => {
  it('are stored later when the store fails, and those of other keys at once', async () => {
    await using world = await createTestDatabase(inject('dialect'));
    const limits = storeWith(0);
    const use = createKeyUse(withoutUses(world.database), { limits, now: () => 1, log });
    use.count(ONE);
    use.count(ONE);
    use.count(TWO);
    limits.answerNext(1, new Error('fails'));
    await expect(use.flush()).rejects.toThrow('fails');
    expect([...limits.totals]).toEqual([['api-key:2:0', 1]]);
    use.count(ONE);
    await use.flush();
    expect(limits.totals.get('api-key:1:0')).toBe(3);
    await use.close();
    expect(limits.totals.get('api-key:1:0')).toBe(3);
  });

  it('keep those of the other nodes while the store is down', async () => {
    await using world = await createTestDatabase(inject('dialect'));
    const limits = storeWith(3);
    const use = createKeyUse(withoutUses(world.database), { limits, now: () => 1, log });
    use.count(ONE);
    await use.flush();
    use.count(ONE);
    limits.answerNext(1, undefined);
    await use.flush();
    expect(() => use.count(ONE)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    await use.flush();
    expect(limits.totals.get('api-key:1:0')).toBe(5);
    await use.close();
  });

  it('are not added while Redis is down', async () => {
    const limits = createRedisLimits('redis://127.0.0.1:1', log);
    expect(await limits.add({ key: 'api-key:1:0', windowMs: 120_000 }, 2)).toBeUndefined();
    await limits.close();
  });

  it('are written as uses of the keys after a write that failed', async () => {
    await using world = await createTestDatabase(inject('dialect'));
    const written: unknown[] = [];
    const db: Database = {
      ...world.database,
      write(query) {
        written.push(query.toSQL().params);
        return written.length === 1 ? Promise.reject(new Error('fails')) : world.database.write(query);
      },
    };
    const use = createKeyUse(db, { limits: storeWith(0), now: () => 1, log });
    use.count(ONE);
    await expect(use.flush()).rejects.toThrow('fails');
    await use.flush();
    expect(written).toHaveLength(2);
    expect(written[1]).toEqual(written[0]);
    await use.flush();
    expect(written).toHaveLength(2);
    await use.close();
  });
});
