import { touchSessions } from '@gatehouse/db/queries/change-session';
import { forgetSeenMember } from '@gatehouse/db/queries/count-seen-members';
import { reportNode } from '@gatehouse/db/queries/read-statistics';
import { insertSecurityEvent, recordRefusedLogin } from '@gatehouse/db/queries/security-event-log';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { insertTestMail } from '../test/insert-test-mail.js';
import { type StaffWorld, startStaffWorld } from '../test/staff-world.js';
import { nodeReport, statisticsCounting } from './statistics-jobs.js';

const DAY_MS = 86_400_000;

interface Happened {
  signUps: number;
  logins: { ok: number; failed: number; locked: number };
}

interface Statistics extends Happened {
  activeMembers: number;
  locked: number;
  mails: { waiting: number; oldestAt: string | null };
  webhooks: { waiting: number; oldestAt: string | null } | null;
  revocations: { slowestMs: number; node: string; service: string; nodes: number } | null;
  countedAt: string | null;
  buckets: (Happened & { from: string; until: string })[];
}

async function count({ service }: StaffWorld): Promise<void> {
  while ((await statisticsCounting.run(service.services)) > 0);
}

async function read(world: StaffWorld, input: object = {}, accountId?: number): Promise<Statistics> {
  const from = new Date(Date.now() - 3 * DAY_MS).toISOString();
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const response = await world.service.send('/v1/service/statistics', {
    token: world.root.token,
    accountId,
    body: { from, until, ...input },
  });
  const answer = (await response.json()) as { data: Statistics };
  expect([response.status, answer]).toEqual([200, answer]);
  return answer.data;
}

const refuse = (
  { service }: StaffWorld,
  memberId: number | undefined,
  {
    times = 1,
    outcome = 'failed',
    nowMs = Date.now(),
  }: { times?: number; outcome?: 'failed' | 'locked'; nowMs?: number } = {},
) =>
  Promise.all(
    Array.from({ length: times }, () =>
      recordRefusedLogin(service.database, {
        memberId,
        nameDigest: 'x'.repeat(32),
        outcome,
        address: '127.0.0.9',
        device: 'A browser',
        nowMs,
      }),
    ),
  );

const succeed = ({ service }: StaffWorld, memberId: number, atMs: number) =>
  insertSecurityEvent(service.database, {
    memberId,
    atMs,
    kind: 'login',
    address: '127.0.0.9',
    device: 'A browser',
    actorId: null,
  });

describe('the statistics of the service', () => {
  it('equal a count of the rows, in total and per account, however often they are counted', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    await count(world);
    await refuse(world, 8, { times: 3 });
    await refuse(world, undefined, { times: 2 });
    await refuse(world, 9, { outcome: 'locked' });
    await succeed(world, 8, Date.now());
    await count(world);
    // The same minute again, after it was counted once.
    await refuse(world, 8, { times: 2 });
    await count(world);
    await count(world);

    const events = await database.select().from(database.tables.securityEvents);
    const logins = (outcome: string) =>
      events.reduce(
        (sum, row) => (row.kind === 'login' && row.outcome === outcome ? sum + row.times : sum),
        0,
      );
    const people = await database.select().from(database.tables.members);
    const seen = new Set((await database.select().from(database.tables.sessions)).map((row) => row.memberId));
    const all = await read(world);
    expect(all).toMatchObject({
      signUps: people.length,
      logins: { ok: logins('ok'), failed: logins('failed'), locked: logins('locked') },
      activeMembers: seen.size,
    });
    expect([logins('ok'), logins('failed'), logins('locked')]).toEqual([1, 7, 1]);
    const sums = all.buckets.reduce((sum, each) => sum + each.logins.failed, 0);
    expect(sums).toBe(7);

    // Members 3 and 8, and the one of the world, are in account 2; 9 is not.
    const birch = await read(world, {}, 2);
    expect(birch).toMatchObject({
      signUps: 3,
      logins: { ok: 1, failed: 5, locked: 0 },
      activeMembers: 1,
      webhooks: null,
      revocations: null,
    });
    const cedar = await read(world, {}, 3);
    expect(cedar).toMatchObject({ signUps: 1, logins: { ok: 0, failed: 0, locked: 1 } });
  });

  it('split the days as a clock in the zone shows them, including one of 23 hours', async () => {
    await using world = await startStaffWorld();
    // The last Sunday of a March that is not 400 days ago: at 01:00 UTC the clocks of Berlin go forward.
    const year = new Date(Date.now() - 90 * DAY_MS).getUTCFullYear();
    const march = new Date(Date.UTC(year, 2, 31));
    const forwards = Date.UTC(year, 2, 31 - march.getUTCDay());
    await succeed(world, 8, forwards - 3_600_001);
    await succeed(world, 8, forwards - 3_600_000);
    await succeed(world, 8, forwards + 22 * 3_600_000 - 1);
    await succeed(world, 8, forwards + 22 * 3_600_000);
    await count(world);
    const range = {
      from: new Date(forwards - DAY_MS / 2).toISOString(),
      until: new Date(forwards + 1.5 * DAY_MS).toISOString(),
    };
    const { buckets } = await read(world, { ...range, zone: 'Europe/Berlin' });
    expect(
      buckets.map(({ from, until, logins }) => [
        (Date.parse(until) - Date.parse(from)) / 3_600_000,
        logins.ok,
      ]),
    ).toEqual([
      [24, 1],
      [23, 2],
      [24, 1],
    ]);
    const inUtc = await read(world, range);
    expect(inUtc.buckets.map(({ logins }) => logins.ok)).toEqual([2, 2, 0]);
  });

  it('count the members seen since a moment, each once, by when they were last seen', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const member = await insertTestMember(database, { memberships: { 2: 5 } });
    await member.signInAgain();
    const sessions = await database.select().from(database.tables.sessions);
    const theirs = sessions.filter(({ memberId }) => memberId === member.id).map(({ id }) => id);
    const sql = 'update sessions set is_counted = false, last_seen_at_ms = ? where member_id = ?';
    await database.write({ toSQL: () => ({ sql, params: [Date.now() - 2 * DAY_MS, member.id] }) });
    await count(world);
    const active = async (sinceMs: number) =>
      (await read(world, { from: new Date(sinceMs).toISOString(), bucket: 'hour' }, 2)).activeMembers;
    const others = 1;
    expect(await active(Date.now() - 3 * DAY_MS)).toBe(others + 1);
    expect(await active(Date.now() - DAY_MS)).toBe(others);
    await touchSessions(database, theirs, Date.now());
    await touchSessions(database, theirs, Date.now());
    await count(world);
    expect(await active(Date.now() - 3 * DAY_MS)).toBe(others + 1);
    expect(await active(Date.now() - DAY_MS)).toBe(others + 1);
    await forgetSeenMember(database, member.id);
    expect(await active(Date.now() - 3 * DAY_MS)).toBe(others);
  });

  it('say what waits and who is locked now, in total and per account', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const oldestMs = Date.now() - 90_000;
    await insertTestMail(database, { memberId: 8, state: 'pending', createdAtMs: oldestMs });
    await insertTestMail(database, { memberId: 9, state: 'pending' });
    await insertTestMail(database, { memberId: 9, state: 'sent' });
    for (const [memberId, failures, waitUntilMs] of [
      [8, 100, 0],
      [9, 40, Date.now() + 60_000],
      [4, 40, Date.now() - 60_000],
      [5, 3, 0],
    ] as const)
      await database.insert(database.tables.loginFailures, {
        holder: `member:${memberId}`,
        origin: '',
        failures,
        waitUntilMs,
        lastFailureAtMs: Date.now(),
      });
    expect((await read(world)).countedAt).toBeNull();
    await count(world);
    const all = await read(world);
    expect(all).toMatchObject({
      locked: 2,
      mails: { waiting: 2, oldestAt: new Date(oldestMs).toISOString() },
      webhooks: { waiting: 0, oldestAt: null },
    });
    const cedar = await read(world, {}, 3);
    expect(cedar).toMatchObject({ locked: 1, mails: { waiting: 1 }, webhooks: null });
    expect(Date.parse(all.countedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('name the node where a call waited longest to learn of a revocation', async () => {
    await using world = await startStaffWorld();
    expect((await read(world)).revocations).toBeNull();
    await nodeReport.run(world.service.services);
    const { revocations } = await read(world);
    expect(revocations).toMatchObject({
      service: 'api-admin',
      node: world.service.services.deployment.node,
      nodes: 1,
    });
    expect(revocations?.slowestMs).toBeGreaterThan(0);
  });

  it('let ten nodes or more space their reads of the change log, on a shared database', async () => {
    await using world = await startStaffWorld();
    const { services } = world.service;
    const { db, access } = services;
    const spacings: number[] = [];
    const report = () =>
      nodeReport.run({ ...services, access: { ...access, spaceReads: (ms) => spacings.push(ms) } });
    const insertNode = (number: number) =>
      reportNode(
        db,
        { name: `node ${number}`, service: 'api-main', slowestMs: 0 },
        { nowMs: Date.now(), goneBeforeMs: 0 },
      );
    for (let number = 1; number <= 8; number += 1) await insertNode(number);
    await report();
    await insertNode(9);
    await report();
    expect(spacings).toEqual([0, db.dialect === 'mysql' ? 2 : 0]);
  });

  it('refuse an invalid range, one too long ago or too finely split, and unknown zones', async () => {
    await using world = await startStaffWorld();
    const now = new Date().toISOString();
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    for (const input of [
      { from: now, until: now },
      { from: ago(401), until: now },
      { from: ago(30), until: now, bucket: 'hour' },
      { from: ago(1), until: now, zone: 'Mars/Olympus' },
      { from: ago(1), until: now, bucket: 'minute' },
      { from: 'yesterday', until: now },
    ])
      expect([input, (await world.call('service.statistics', input, world.root)).status]).toEqual([
        input,
        400,
      ]);
    expect((await world.call('service.statistics', { from: ago(1), until: now }, world.manager)).code).toBe(
      'permission_denied',
    );
  });
});
