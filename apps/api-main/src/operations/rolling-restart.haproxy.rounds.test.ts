import { startVisits } from '@gatehouse/features/test/start-visits';
import {
  createTestDatabase,
  findFreePort,
  insertTestMember,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
  startHammer,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startBalancer } from '../test/start-balancer.js';

const dialect = inject('dialect');

/** The values of compose.yaml and the units. */
const ENVIRONMENT = { LOG_LEVEL: 'error', SHUTDOWN_DELAY_MS: '2000', TRUSTED_PROXIES: '127.0.0.1' };

describe('two nodes behind a load balancer with the shipped configuration', () => {
  it('fail no request while they are restarted one after the other', {
    timeout: 900_000,
  }, async () => {
    await using world = await createTestDatabase(dialect);
    await seedTestDatabase(world.database);
    const member = await insertTestMember(world.database, { memberships: { 3: 2 } });
    const start = (port: number) =>
      spawnService('api-main', { databaseUrl: world.url, port, env: ENVIRONMENT });
    const ports = [await findFreePort(), await findFreePort()] as const;
    const nodes: SpawnedService[] = [await start(ports[0]), await start(ports[1])];
    await using balancer = await startBalancer(ports);
    await balancer.bothUp();
    const hammer = startHammer([balancer.url], { clients: 6, path: '/auth/me' });
    hammer.add({ token: member.token, accountId: 3 });
    const visits = startVisits(balancer.url, 3);

    const restarts = rounds({ suite: 1, stress: 20 });
    const exits: (number | null)[] = [];
    for (let round = 0; round < restarts; round += 1) {
      const index = round % 2;
      exits.push((await nodes[index]?.stop()) ?? null);
      nodes[index] = await start(ports[index === 0 ? 0 : 1]);
      await balancer.bothUp();
      await visits.more(2);
    }
    const report = await hammer.stop();
    const { statuses, visits: done } = await visits.stop();
    for (const node of nodes) await node.kill9();

    printMeasurements(`a rolling restart behind haproxy (${dialect})`, {
      restarts,
      guardedCalls: report.requests,
      failed: report.faults + report.refused,
      visits: done,
      statuses: JSON.stringify(statuses),
    });
    expect(exits).toEqual(Array.from({ length: restarts }, () => 0));
    expect([report.faults, report.refused]).toEqual([0, 0]);
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(report.allowed).toBeGreaterThan(restarts * 20);
  });
});
