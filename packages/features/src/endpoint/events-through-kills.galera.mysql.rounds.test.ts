import { printMeasurements } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { changeThroughKills } from '../test/change-through-kills.js';
import { startCluster } from '../test/cluster-world.js';

/** The tests ask the third. */
const KILLED = 2;

it('each change is once in the feed and reaches its endpoint in order while services and nodes of a Galera cluster are killed', {
  timeout: 900_000,
}, async () => {
  await using world = await startCluster();
  const told = await changeThroughKills(world, async (time) => {
    const node = world.cluster.nodes[time % KILLED];
    await node?.kill9();
    await node?.restart();
  });
  expect(told.changes).toBeGreaterThan(0);
  printMeasurements('events of changes while nodes of ours and of a cluster are killed', { ...told });
});
