import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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
import { startHaproxy } from '@gatehouse/testkit/operations';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const BALANCER = fileURLToPath(new URL('../../../../deploy/proxy/haproxy.cfg', import.meta.url));

/** The values of compose.yaml and the units. */
const ENVIRONMENT = { LOG_LEVEL: 'error', SHUTDOWN_DELAY_MS: '2000', TRUSTED_PROXIES: '127.0.0.1' };

/** Resolves when the balancer uses both nodes. */
async function allUp(figuresPort: number): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${figuresPort}/metrics`);
    const up = (await response.text()).match(/^haproxy_server_status\{proxy="main",.*state="UP"\} 1$/gm);
    if (up?.length === 2) return;
    await pause(50);
  }
}

describe('two nodes behind the balancer that is shipped', () => {
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
    const [main, admin, figures] = [await findFreePort(), await findFreePort(), await findFreePort()];
    await using _balancer = await startHaproxy(BALANCER, {
      ports: [main, admin, figures],
      variables: {
        FIGURES_BIND: `127.0.0.1:${figures}`,
        MAIN_BIND: `127.0.0.1:${main}`,
        MAIN_NODE_1: `127.0.0.1:${ports[0]}`,
        MAIN_NODE_2: `127.0.0.1:${ports[1]}`,
        ADMIN_BIND: `127.0.0.1:${admin}`,
        ADMIN_NODE_1: `127.0.0.1:${ports[0]}`,
        ADMIN_NODE_2: `127.0.0.1:${ports[1]}`,
      },
    });
    const url = `http://127.0.0.1:${main}`;
    await allUp(figures);
    const hammer = startHammer([url], { clients: 6, path: '/auth/me' });
    hammer.add({ token: member.token, accountId: 3 });
    const visits = startVisits(url, 3);

    const restarts = rounds({ suite: 1, stress: 20 });
    const exits: (number | null)[] = [];
    for (let round = 0; round < restarts; round += 1) {
      const index = round % 2;
      exits.push((await nodes[index]?.stop()) ?? null);
      nodes[index] = await start(ports[index === 0 ? 0 : 1]);
      await allUp(figures);
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
