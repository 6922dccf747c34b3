import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { setGauges } from './set-gauges.js';

const LOCKS = { prefix: 'member:', fewest: 5, most: 100 };

describe('the gauges of the statistics', () => {
  it('are set once, by the first of the nodes that begin at the same moment', async () => {
    await using world = await createTestDatabase(inject('dialect'));
    const other = await openDatabase(world.url);
    const nodes = [world.database, other, world.database, other];
    for (let round = 0; round < 10; round += 1) {
      await world.database.write(world.database.delete(world.database.tables.statisticGauges));
      const set = await Promise.all(
        nodes.map((db) => setGauges(db, LOCKS, { nowMs: Date.now(), everyMs: 60_000 })),
      );
      expect(set.filter(Boolean).length).toBeGreaterThanOrEqual(1);
      const rows = await world.database.select().from(world.database.tables.statisticGauges);
      expect(rows.map(({ name }) => name).toSorted()).toEqual(['locked', 'mails', 'webhooks']);
    }
    await other.close();
  });
});
