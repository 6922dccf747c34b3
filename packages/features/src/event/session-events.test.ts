import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { insertTestMember, type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { deliverAll } from '../test/deliver-all.js';
import { startEventReceiver } from '../test/event-receiver.js';
import { PASSWORD, type PeopleWorld, startPeopleWorld } from '../test/people-world.js';
import { EVENT_TYPES } from './event-types.js';

const signedIn = z.object({ data: z.object({ token: z.string() }) });

const listed = z.array(z.object({ id: z.int(), isCurrent: z.boolean() }));

async function signIn(on: RunningService, { email }: { email: string }): Promise<string> {
  const response = await on.send('/v1/signIn/password', { body: { email, password: PASSWORD } });
  return signedIn.parse(await response.json()).data.token;
}

async function start() {
  const world = await startPeopleWorld();
  const receiver = await startEventReceiver();
  const { now } = world.service.services;
  const options = { dialect: inject('dialect'), application: 'admin', database: world.db, now } as const;
  const admin = await startService(createAdminApp, options);
  const staff = { roleType: 0, isPersonnel: true, isConfirmed: true };
  const root = await insertTestMember(world.db, staff);
  const save = async (body: object) => {
    const response = await admin.send('/v1/eventEndpoint/save', { token: root.token, body });
    expect([response.status, await response.clone().text()]).toEqual([200, expect.anything()]);
    return z.object({ data: z.object({ id: z.int() }) }).parse(await response.json()).data.id;
  };
  return {
    world,
    db: world.db,
    receiver,
    admin,
    root,
    save,
    hear: (types = ['session.*']) => save({ url: receiver.url, types }),
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function eventsIn(db: Database) {
  const rows = await db.select().from(db.tables.events);
  return rows.filter(({ type }) => type.startsWith('session.'));
}

const sessionsOf = async (world: PeopleWorld, token: string) =>
  listed.parse((await world.call('session.list', {}, { token })).data);

describe('the events of sessions', () => {
  it('report a sign-in on any node and its end to an endpoint of the deployment', async () => {
    await using test = await start();
    const { world, db, receiver } = test;
    const member = await world.member();
    await signIn(world.service, member);
    expect(await eventsIn(db)).toEqual([]);
    await test.hear();
    const token = await signIn(world.other, member);
    const [current] = (await sessionsOf(world, token)).filter((session) => session.isCurrent);
    expect((await world.call('session.end', {}, { token })).status).toBe(200);
    await deliverAll(test.admin.services);
    const data = { memberId: member.id, sessionId: current?.id, kind: 'session', method: 'pwd' };
    const common = {
      subject: `member:${member.id}`,
      accountId: null,
      actor: { kind: 'member', id: member.id },
    };
    expect(receiver.received.map(({ event }) => event)).toMatchObject([
      { ...common, type: 'session.started', subjectVersion: 1, data },
      { ...common, type: 'session.ended', subjectVersion: 2, data: { ...data, reason: 'signed_out' } },
    ]);
    for (const { event } of receiver.received)
      EVENT_TYPES[event.type === 'session.started' ? event.type : 'session.ended'].data.parse(event.data);
    const rows = await db.select().from(db.tables.members);
    expect(rows.find(({ id }) => id === member.id)?.eventVersion).toBe(0);
    expect(JSON.stringify(receiver.received.map(({ event }) => event))).not.toMatch(/127\.0\.0\.1|device/);
  });

  it('are written only while an active endpoint of the deployment names them', async () => {
    await using test = await start();
    const { world, db, receiver } = test;
    const member = await world.member();
    const id = await test.save({ url: receiver.url, types: ['member.*'] });
    await signIn(world.service, member);
    expect(await eventsIn(db)).toEqual([]);
    await test.save({ endpointId: id, types: ['session.started'] });
    await signIn(world.service, member);
    await test.save({ endpointId: id, active: false });
    await signIn(world.service, member);
    expect(await eventsIn(db)).toHaveLength(1);
  });

  it('report each session that ends with others once, and none that is kept or had already ended', async () => {
    await using test = await start();
    const { world, db } = test;
    const member = await world.member();
    const tokens = [await signIn(world.service, member), await signIn(world.service, member)];
    await world.call('session.end', {}, { token: tokens[0] });
    await test.hear();
    const kept = await signIn(world.service, member);
    const before = await sessionsOf(world, kept);
    expect((await world.call('session.endMany', { others: true }, { token: kept })).status).toBe(200);
    const ended = (await eventsIn(db)).filter(({ type }) => type === 'session.ended');
    expect(new Set(ended.map(({ data }) => data['sessionId']))).toEqual(
      new Set(before.flatMap(({ id, isCurrent }) => (isCurrent ? [] : id))),
    );
    expect(ended).toHaveLength(before.length - 1);
    expect(new Set(ended.map(({ data }) => data['reason']))).toEqual(new Set(['revoked']));
    expect((await world.call('session.endMany', { others: true }, { token: kept })).status).toBe(200);
    const [current] = await sessionsOf(world, kept);
    const endFor = { token: test.root.token, body: { memberId: member.id } };
    expect((await test.admin.send('/v1/session/endFor', endFor)).status).toBe(200);
    const all = (await eventsIn(db)).filter(({ type }) => type === 'session.ended');
    expect(all).toHaveLength(ended.length + 1);
    expect(all.at(-1)).toMatchObject({
      actorKind: 'staff',
      actorId: test.root.id,
      data: { sessionId: current?.id, reason: 'revoked' },
    });
  });

  it('report twelve hundred sessions of a member, each once', async () => {
    await using test = await start();
    const { world, db } = test;
    const member = await world.member();
    const [first] = await db.select().from(db.tables.sessions);
    const { id: _, tokenKey: _key, ...row } = first ?? expect.fail('no session');
    await db.insertMany(
      db.tables.sessions,
      Array.from({ length: 1_200 }, (_each, at) => ({
        ...row,
        memberId: member.id,
        epoch: 0,
        tokenKey: at.toString(16).padStart(64, '0'),
      })),
    );
    await test.hear(['session.ended']);
    const nowMs = world.service.services.now();
    const end = { nowMs, reason: 'banned', endedById: test.root.id } as const;
    await changeAccess(db, { members: [member.id] }, (tx) => endAllSessions(tx, member.id, end));
    const told = (await eventsIn(db)).map(({ data }) => data['sessionId']);
    expect([told.length, new Set(told).size]).toEqual([1_201, 1_201]);
    await changeAccess(db, { members: [member.id] }, (tx) => endAllSessions(tx, member.id, end));
    expect(await eventsIn(db)).toHaveLength(1_201);
  });

  type Test = Awaited<ReturnType<typeof start>>;
  type Signed = { readonly id: number; readonly email: string; readonly token: string };
  const asStaff = async ({ admin, root }: Test, path: string, body: object) =>
    (await admin.send(path, { token: root.token, body })).status;

  it.each<[reason: string, end: (test: Test, member: Signed) => Promise<number>]>([
    [
      'password_changed',
      async ({ world }, member) => {
        const input = { currentPassword: PASSWORD, newPassword: 'Copper-Meadow-17' };
        return (await world.call('password.change', input, member)).status;
      },
    ],
    ['removed', async ({ world }, member) => (await world.call('member.deleteOwn', {}, member)).status],
    ['banned', (test, { id }) => asStaff(test, '/v1/member/ban', { memberId: id })],
    ['removed', (test, { id }) => asStaff(test, '/v1/member/remove', { memberId: id })],
    ['role_changed', (test, { id }) => asStaff(test, '/v1/member/update', { memberId: id, roleType: 5 })],
    [
      'replaced',
      async ({ world }, { email, token }) => {
        const cookie = `${world.service.services.cookies.name}=${token}`;
        const headers = { cookie, 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-origin' };
        const body = { email, password: PASSWORD };
        return (await world.service.send('/v1/signIn/password', { body, headers })).status;
      },
    ],
  ])('give %s as the reason when that is why a session ended', async (reason, end) => {
    await using test = await start();
    const { world, db } = test;
    const member = await world.member({ roleType: 1 });
    const { id, email } = member;
    const token = await signIn(world.service, member);
    await test.hear(['session.ended']);
    expect(await end(test, { id, email, token })).toBe(200);
    const ended = (await eventsIn(db)).filter(({ type }) => type === 'session.ended');
    const told = ended.map(({ data }) => data['reason']);
    expect([told.length > 0, [...new Set(told)]]).toEqual([true, [reason]]);
  });

  it('are not written for a change that is rolled back, and are written once when two calls end a session concurrently', async () => {
    await using test = await start();
    const { world, db } = test;
    const member = await world.member();
    await test.hear();
    const nowMs = world.service.services.now();
    const end = { nowMs, reason: 'banned', endedById: null } as const;
    const undone = changeAccess(db, { members: [member.id] }, async (tx) => {
      await endAllSessions(tx, member.id, end);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await eventsIn(db)).toEqual([]);
    const calls = Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0
        ? world.call('session.end', {}, member, { on: world.other })
        : changeAccess(db, { members: [member.id] }, (tx) => endAllSessions(tx, member.id, end)),
    );
    await Promise.all(calls);
    expect((await eventsIn(db)).map(({ type }) => type)).toEqual(['session.ended']);
  });

  it('are in the feed of the deployment, and not in that of an account', async () => {
    await using test = await start();
    const { world } = test;
    await test.hear();
    const { id, owner } = await world.account();
    const token = await signIn(world.service, owner);
    await deliverAll(world.service.services);
    const body = { types: ['session.*'] };
    const feed = await test.admin.send('/v1/event/list', { token: test.root.token, body });
    expect(await feed.json()).toMatchObject({ data: [{ type: 'session.started' }] });
    expect((await world.call('event.list', body, { token, accountId: id })).data).toEqual([]);
    const refused = await world.call(
      'eventEndpoint.save',
      { url: test.receiver.url, types: ['member.*', 'session.started'] },
      { token, accountId: id },
    );
    expect([refused.status, refused.code, refused.issues]).toEqual([
      400,
      'invalid_input',
      [{ path: 'types.1', message: 'Only endpoints of the deployment get these events' }],
    ]);
  });
});
