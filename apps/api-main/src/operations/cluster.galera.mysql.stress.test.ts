import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { startAcknowledgedWork } from '@gatehouse/features/test/acknowledged-work';
import { type ClusterWorld, startClusterWorld } from '@gatehouse/features/test/cluster-world';
import { raceForAccess } from '@gatehouse/features/test/race-for-access';
import { insertTestMember, printMeasurements, readOutbox, type SpawnedService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const ADMINISTRATORS = [
  'root@gatehouse.test',
  'staff@gatehouse.test',
  'owner@acme.test',
  'owner@birch.test',
  'owner@cedar.test',
];

/** Requests a one-time password at one service and submits it to all of them at once. Returns the answers. */
async function bringEverywhere({ services }: ClusterWorld, email: string): Promise<number[]> {
  const [first] = services;
  if (first === undefined) throw new Error('there is no service to ask');
  expect((await first.send('/Adminsignin', { body: { email } })).status).toBe(200);
  const mail = (await readOutbox(first)).find(({ to }) => to === email);
  const password = /^ {4}([0-9a-f]{6})$/m.exec(mail?.text ?? '')?.[1];
  const answers = await Promise.all(
    services.flatMap((service, node) =>
      Array.from({ length: 15 }, (_, index) =>
        service.send('/Adminlogin', {
          body: { email, password },
          headers: { 'x-forwarded-for': `10.${node}.${index}.1` },
        }),
      ),
    ),
  );
  return answers.map(({ status }) => status);
}

/** The time until every service admits a member again, in milliseconds. */
async function recovery(services: readonly SpawnedService[], token: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const answers = await Promise.all(services.map((service) => service.send('/auth/me', { token })));
    if (answers.every(({ status }) => status === 200)) return Math.round(performance.now() - startedAt);
    if (performance.now() - startedAt > 60_000) throw new Error('the services do not recover');
    await pause(50);
  }
}

async function usernamesOn(url: string): Promise<Set<string>> {
  const db: Database = await openDatabase(url);
  const { members } = db.tables;
  const rows = await db.select({ username: members.username }).from(members);
  await db.close();
  return new Set(rows.map(({ username }) => username));
}

describe('services on different nodes of a cluster', () => {
  it('see a loss of access on the next request, and accept a one-time password once', {
    timeout: 900_000,
  }, async () => {
    await using world = await startClusterWorld();
    const losses = 400;
    const nodes = world.services.map(({ url }) => url);
    const report = await raceForAccess({ db: world.db, nodes, losses });
    let winners = 0;
    const passwords = ADMINISTRATORS;
    const others = new Set<number>();
    for (const email of passwords) {
      const statuses = await bringEverywhere(world, email);
      winners += statuses.filter((status) => status === 200).length;
      for (const status of statuses) if (status !== 200) others.add(status);
    }
    printMeasurements('a cluster: a loss of access is seen by the next request', {
      losses,
      ...report,
      oneTimePasswords: passwords.length,
      winners,
      otherAnswers: [...others].join(' '),
    });
    expect(report.tooLate).toBe(0);
    expect(report.faults).toBe(0);
    expect(report.refused).toBeGreaterThan(losses / 4);
    expect(winners).toBe(passwords.length);
    expect([401, 429, 503]).toEqual(expect.arrayContaining([...others]));
  });

  it('lose no acknowledged write and use no token twice while a node is killed under load', {
    timeout: 900_000,
  }, async () => {
    await using world = await startClusterWorld();
    const { cluster, services, db } = world;
    const lasting = await insertTestMember(db, { memberships: { 3: 2 } });
    const work = startAcknowledgedWork(services, db);
    const kills = 6;
    const recoveries: number[] = [];
    for (let round = 0; round < kills; round += 1) {
      await work.more(150);
      const victim = cluster.nodes[round % 2];
      await victim?.kill9();
      recoveries.push(await recovery(services, lasting.token));
      await work.more(150);
      await victim?.restart();
    }
    await work.more(10);
    await work.stop();

    const alive = [];
    for (const token of work.endedTokens) {
      const answers = await Promise.all(services.map((service) => service.send('/auth/me', { token })));
      alive.push(...answers.filter(({ status }) => status !== 401));
    }
    const kept = await Promise.all(cluster.nodes.map((node) => usernamesOn(node.url('gatehouse'))));
    const lost = work.usernames.filter((username) => kept.some((names) => !names.has(username)));
    printMeasurements('a cluster: a node killed under load', {
      kills,
      slowestRecoveryMs: Math.max(...recoveries),
      logouts: work.endedTokens.length,
      registrations: work.usernames.length,
      oneUseTokens: work.redeemed,
      alive: alive.length,
      lost: lost.length,
      usedTwice: work.usedTwice,
      tooLate: work.tooLate,
      statuses: JSON.stringify(work.statuses),
    });
    expect([alive.length, lost, work.usedTwice, work.tooLate]).toEqual([0, [], 0, 0]);
    expect(
      Object.keys(work.statuses)
        .map(Number)
        .filter((status) => status === 0 || status === 500),
    ).toEqual([]);
    expect(work.withoutRetryAfter).toBe(0);
    expect(work.usernames.length).toBeGreaterThan(0);
  });
});
