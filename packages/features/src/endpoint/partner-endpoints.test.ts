import { setTimeout } from 'node:timers/promises';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import type { Database } from '@gatehouse/db/database';
import { lockEndpoints } from '@gatehouse/db/queries/event-endpoints';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { recordEvents } from '../event/record-events.js';
import { changeColumn } from '../test/change-column.js';
import { deliverAll, queueAll } from '../test/deliver-all.js';
import { startEventReceiver } from '../test/event-receiver.js';
import { partnerClient } from '../test/partner-client.js';
import { startPeopleWorld } from '../test/people-world.js';
import { scopeOfPartner } from './endpoint-scope.js';

const answer = z.looseObject({
  data: z.unknown().optional(),
  secret: z.string().optional(),
  nextCursor: z.string().optional(),
  error: z.object({ code: z.string() }).optional(),
});

const endpoint = z.object({ id: z.int(), url: z.string(), state: z.string() });

const idsIn = (data: unknown) =>
  z
    .array(z.object({ id: z.int() }))
    .parse(data)
    .map(({ id }) => id);

const event = z.looseObject({ type: z.string(), subject: z.string(), accountId: z.int().nullable() });

/** The main service on two nodes, and the back ends of two partners. */
async function start() {
  const world = await startPeopleWorld();
  const { service, db } = world;
  const admin = await startService(createAdminApp, {
    dialect: inject('dialect'),
    application: 'admin',
    database: db,
  });
  const root = await insertTestMember(db, { isPersonnel: true, roleType: 0, isConfirmed: true });
  const made = await admin.send('/v1/partner/save', {
    token: root.token,
    body: { name: 'Nordwind', appUrl: 'http://127.0.0.1:4010' },
  });
  const { secretKey, partnerId } = z
    .object({ secretKey: z.string(), partnerId: z.int() })
    .parse(await made.json());
  const acme = await partnerClient(service);
  const nordwind = await partnerClient(service, { partnerId: 'Nordwind', secretKey });
  const receiver = await startEventReceiver();
  const asPartner = async (name: string, body: object, { token } = acme, on = service) => {
    const response = await on.send(`/partnerAuth/events/${name}`, { bearer: token, body });
    const parsed = answer.parse(await response.json());
    return { status: response.status, code: parsed.error?.code, ...parsed };
  };
  const read = async (query: string, { token } = acme, on = service) => {
    const response = await on.send(`/partnerAuth/events${query}`, { bearer: token });
    const { data = [], nextCursor = '', error } = answer.parse(await response.json());
    return { status: response.status, events: z.array(event).parse(data), nextCursor, code: error?.code };
  };
  return {
    world,
    admin,
    root,
    acme,
    nordwind,
    partnerId,
    receiver,
    asPartner,
    read,
    async subscribe(by = acme) {
      const saved = await asPartner(
        'saveEndpoint',
        { url: receiver.url, types: ['member.*', 'account.*'] },
        by,
      );
      return { endpointId: endpoint.parse(saved.data).id, secret: saved.secret ?? '' };
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe('an endpoint of a partner', () => {
  it('gets the signed events of the members and accounts that the partner registered, and no others', async () => {
    await using test = await start();
    const { world, acme, nordwind, receiver, asPartner } = test;
    const { secret } = await test.subscribe();
    expect(receiver.pings).toHaveLength(1);
    const own = await acme.register({ email: 'ada@partners.test', accountName: 'Loom' });
    await nordwind.register({ email: 'ben@partners.test', accountName: 'Wheel' });
    const { owner, id } = await world.account('Kiln');
    await world.call('account.rename', { name: 'Kiln & Co' }, { token: owner.token, accountId: id });
    await deliverAll(world.service.services);
    expect(new Set(receiver.received.map(({ event: { type, subject } }) => `${type} ${subject}`))).toEqual(
      new Set([`account.created account:${own.accountId}`, `member.registered member:${own.userId}`]),
    );
    for (const delivery of receiver.received) {
      delivery.verify(secret);
      expect(delivery.event.actor).toEqual({ kind: 'partner', id: 1 });
    }
    const { data } = await asPartner('listDeliveries', { state: 'delivered' });
    const deliveries = idsIn(data);
    expect(deliveries).toHaveLength(2);
    const [deliveryId] = deliveries;
    expect((await asPartner('deliveryDetail', { deliveryId })).data).toMatchObject({
      attempts: [{ httpStatus: 204 }],
    });
    expect((await asPartner('redeliver', { ids: [deliveryId] })).data).toMatchObject({ count: 1 });
    await deliverAll(world.service.services);
    expect(receiver.received).toHaveLength(3);
  });

  it('belongs only to its partner', async () => {
    await using test = await start();
    const { world, nordwind, asPartner } = test;
    const { endpointId } = await test.subscribe();
    await test.acme.register({ email: 'ada@partners.test' });
    await deliverAll(world.service.services);
    const { data } = await asPartner('listDeliveries', {});
    const [deliveryId] = idsIn(data);
    expect((await asPartner('listEndpoints', {}, nordwind)).data).toEqual([]);
    expect((await asPartner('listDeliveries', {}, nordwind)).data).toEqual([]);
    const save = { endpointId, url: 'https://taken.example/', types: ['member.*'] };
    for (const [name, body] of [
      ['saveEndpoint', save],
      ['removeEndpoint', { endpointId }],
      ['rotateSecret', { endpointId }],
      ['testEndpoint', { endpointId }],
      ['resumeEndpoint', { endpointId, from: 'now' }],
      ['deliveryDetail', { deliveryId }],
      ['redeliver', { ids: [deliveryId] }],
      ['redeliver', { endpointId, from: '2020-01-01T00:00:00Z', to: '2040-01-01T00:00:00Z' }],
    ] as const)
      expect([name, (await asPartner(name, body, nordwind)).code]).toEqual([name, 'not_found']);
    const { owner, id } = await world.account();
    const as = { token: owner.token, accountId: id };
    expect((await world.call('eventEndpoint.list', {}, as)).data).toEqual([]);
    expect((await world.call('eventEndpoint.remove', { endpointId }, as)).code).toBe('not_found');
    const listed = await test.admin.send('/v1/eventEndpoint/list', { token: test.root.token });
    expect(await listed.json()).toMatchObject({ data: [] });
  });

  it('is never in a private network, unlike those of the deployment', async () => {
    await using world = await startPeopleWorld({ EVENTS_PRIVATE_NETWORKS: '10.0.0.0/8' });
    const acme = await partnerClient(world.service);
    const body = { url: 'https://10.0.0.1/', types: ['member.*'] };
    const refused = await world.service.send('/partnerAuth/events/saveEndpoint', {
      bearer: acme.token,
      body,
    });
    expect(answer.parse(await refused.json()).error?.code).toBe('url_not_allowed');
  });

  it('signs with two secrets during a rotation, and is removed with what waits for it', async () => {
    await using test = await start();
    const { world, receiver, asPartner, acme } = test;
    const { endpointId, secret } = await test.subscribe();
    const rotated = await asPartner('rotateSecret', { endpointId, overlapHours: 1 });
    await acme.register({ email: 'ada@partners.test' });
    await deliverAll(world.service.services);
    for (const one of [secret, rotated.secret ?? '']) receiver.received[0]?.verify(one);
    await acme.register({ email: 'bea@partners.test' });
    await queueAll(world.service.services);
    expect((await asPartner('removeEndpoint', { endpointId })).code).toBeUndefined();
    const before = receiver.received.length;
    await deliverAll(world.service.services);
    expect(receiver.received).toHaveLength(before);
    expect((await asPartner('listEndpoints', {})).data).toEqual([]);
  });

  it('gets nothing more once its partner is deactivated, even what was queued before', async () => {
    await using test = await start();
    const { world, receiver, admin, root, acme } = test;
    await test.subscribe();
    await acme.register({ email: 'ada@partners.test' });
    await queueAll(world.service.services);
    const token = root.token;
    expect((await admin.send('/v1/partner/deactivate', { token, body: { partnerId: 1 } })).status).toBe(200);
    for (const node of [world.service, world.other]) {
      await deliverAll(node.services);
      expect((await test.asPartner('listEndpoints', {}, acme, node)).code).toBe('invalid_partner_token');
      expect((await test.read('', acme, node)).code).toBe('invalid_partner_token');
    }
    expect(receiver.received).toEqual([]);
  });

  it('is managed by staff too, who name the partner', async () => {
    await using test = await start();
    const { world, receiver, admin, root, acme, partnerId } = test;
    const asStaff = async (name: string, body: object, token = root.token) =>
      answer.parse(await (await admin.send(`/v1/partnerEvent/${name}`, { token, body })).json());
    const body = { partnerId: 1, url: receiver.url, types: ['member.*'] };
    const saved = await asStaff('saveEndpoint', body);
    const { id: endpointId, state } = endpoint.parse(saved.data);
    expect(state).toBe('live');
    expect((await test.asPartner('listEndpoints', {})).data).toMatchObject([{ id: endpointId }]);
    const of = { partnerId, endpointId };
    for (const [name, input] of [
      ['saveEndpoint', { ...body, ...of }],
      ['removeEndpoint', of],
      ['rotateSecret', of],
      ['testEndpoint', of],
      ['resumeEndpoint', { ...of, from: 'now' }],
    ] as const)
      expect([name, (await asStaff(name, input)).error?.code]).toEqual([name, 'not_found']);
    const staff = await insertTestMember(world.db, { isPersonnel: true, roleType: 6, isConfirmed: true });
    expect((await asStaff('listEndpoints', { partnerId: 1 }, staff.token)).error?.code).toBe(
      'permission_denied',
    );
    await acme.register({ email: 'ada@partners.test' });
    await deliverAll(world.service.services);
    const [deliveryId] = idsIn((await asStaff('listDeliveries', { partnerId: 1 })).data);
    expect((await asStaff('deliveryDetail', { partnerId: 1, deliveryId })).data).toMatchObject({
      type: 'member.registered',
    });
    expect((await asStaff('deliveryDetail', { partnerId, deliveryId })).error?.code).toBe('not_found');
    expect((await asStaff('redeliver', { partnerId, ids: [deliveryId] })).error?.code).toBe('not_found');
    await asStaff('removeEndpoint', { partnerId: 1, endpointId });
    const { auditLog } = world.db.tables;
    const lines = (await world.db.select().from(auditLog)).filter(
      ({ subjectKind }) => subjectKind === 'endpoint',
    );
    expect(lines.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['endpoint.made', root.id],
      ['endpoint.removed', root.id],
    ]);
  });

  it('is added and changed by only one call at a time', async () => {
    await using world = await startPeopleWorld();
    const scope = scopeOfPartner(1);
    const steps: string[] = [];
    const add = (db: Database) =>
      db.transaction(async (tx) => {
        await lockEndpoints(tx, scope);
        steps.push('begins');
        await setTimeout(200);
        steps.push('ends');
      });
    await Promise.all([add(world.service.services.db), add(world.other.services.db)]);
    expect(steps).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('gets the events of the time of its deactivation once it is active again', async () => {
    await using test = await start();
    const { world, receiver, admin, root, acme } = test;
    await test.subscribe();
    const { userId } = await acme.register({ email: 'ada@partners.test' });
    await deliverAll(world.service.services);
    const before = receiver.received.length;
    const asRoot = async (path: string, body: object) =>
      expect((await admin.send(path, { token: root.token, body })).status).toBe(200);
    await asRoot('/v1/partner/deactivate', { partnerId: 1 });
    await asRoot('/v1/member/ban', { memberId: userId, reason: 'Spam' });
    await deliverAll(world.service.services);
    expect(receiver.received).toHaveLength(before);
    await asRoot('/v1/partner/save', { partnerId: 1, active: true });
    await deliverAll(world.service.services);
    expect(receiver.received.slice(before).map(({ event: { type } }) => type)).toEqual(['member.banned']);
  });

  it("gets no event of an account that requires a higher level than a partner's sign-on gives", async () => {
    await using test = await start();
    const { world, receiver, acme, read } = test;
    await test.subscribe();
    const { accountId } = await acme.register({ email: 'ada@partners.test' });
    await queueAll(world.service.services);
    for (const level of [2, 1]) {
      await changeColumn(world.db, { table: 'accounts', column: 'required_level', id: accountId }, level);
      const types = ['member.registered', ...(level === 1 ? ['account.created'] : [])];
      const { events } = await read('?types=member.*&types=account.*');
      expect(events.map(({ type }) => type)).toEqual(types);
      if (level === 1) await acme.register({ email: 'bea@partners.test' });
      await deliverAll(world.service.services);
      const told = receiver.received.map(({ event: { type, subject } }) => `${type} ${subject}`);
      expect([level, told.includes(`account.created account:${accountId}`)]).toEqual([level, false]);
      expect(told).toHaveLength(level === 2 ? 1 : 3);
    }
  });

  it('has its changes in the audit log, by the partner and without its secret', async () => {
    await using test = await start();
    const { endpointId, secret } = await test.subscribe();
    await test.asPartner('rotateSecret', { endpointId });
    await test.asPartner('removeEndpoint', { endpointId });
    const { auditLog } = test.world.db.tables;
    const lines = (await test.world.db.select().from(auditLog)).filter(
      ({ subjectKind }) => subjectKind === 'endpoint',
    );
    expect(lines.map(({ action, actorId, accountId }) => [action, actorId, accountId])).toEqual([
      ['endpoint.made', null, null],
      ['endpoint.secret-rotated', null, null],
      ['endpoint.removed', null, null],
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
    for (const { before, after } of lines) expect(after ?? before).toMatchObject({ partnerId: 1 });
  });
});

describe('the feed of a partner', () => {
  it('has the events within its reach in order, each once from the cursor on', async () => {
    await using test = await start();
    const { world, acme, nordwind, read } = test;
    const own = await acme.register({ email: 'ada@partners.test', accountName: 'Loom' });
    await nordwind.register({ email: 'ben@partners.test' });
    await queueAll(world.service.services);
    const first = await read('?limit=2');
    expect(first.events.map(({ type }) => type)).toEqual(['member.registered', 'account.created']);
    const next = await read(`?after=${first.nextCursor}`, acme, world.other);
    expect(next.events.map(({ type, accountId }) => [type, accountId])).toEqual([
      ['membership.added', own.accountId],
      ['subscription.trialStarted', own.accountId],
    ]);
    expect((await read(`?after=${next.nextCursor}`)).events).toEqual([]);
    expect((await read(`?after=${next.nextCursor}`, nordwind)).code).toBe('invalid_cursor');
    expect((await read('?types=account.*')).events.map(({ type }) => type)).toEqual(['account.created']);
    for (const wrong of ['?wait=26', '?limit=0', '?types=nothing.*', '?other=1'])
      expect([wrong, (await read(wrong)).code]).toEqual([wrong, 'invalid_input']);
    const member = await world.member({ memberships: { [own.accountId]: 1 } });
    const asMember = await world.service.send('/partnerAuth/events', { bearer: member.token });
    expect(asMember.status).toBe(401);
  });

  it('has no events of members whom the partner may not sign on: new staff, and those with a held or ended link', async () => {
    await using test = await start();
    const { world, acme, read } = test;
    const changes = {
      staff: (id: number) => changeColumn(world.db, { table: 'members', column: 'is_personnel', id }, 1),
      held: (id: number) =>
        changeColumn(
          world.db,
          { table: 'partner_members', column: 'held_since_ms', by: 'member_id', id },
          Date.now(),
        ),
      ended: (id: number) =>
        changeColumn(world.db, { table: 'partner_members', column: 'member_id', by: 'member_id', id }, 1),
    };
    for (const [name, end] of Object.entries(changes)) {
      const { userId } = await acme.register({ email: `${name}@partners.test` });
      await queueAll(world.service.services);
      const { nextCursor } = await read('?types=member.*');
      const tell = () =>
        world.db.transaction((tx) =>
          recordEvents(tx, {
            action: 'address.changed',
            actorId: userId,
            subjectKind: 'member',
            subjectId: userId,
            atMs: Date.now(),
          }),
        );
      await tell();
      await end(userId);
      await tell();
      await queueAll(world.service.services);
      const { events } = await read(`?after=${nextCursor}&types=member.*`);
      expect([name, events.length]).toEqual([name, 1]);
    }
  });

  it('refuses a waiting partner once it is deactivated, even on another node', async () => {
    await using test = await start();
    const { world, acme, read, admin, root } = test;
    await acme.register({ email: 'ada@partners.test' });
    await queueAll(world.service.services);
    const { nextCursor } = await read('');
    const waiting = [world.service, world.other].map((node) =>
      read(`?after=${nextCursor}&wait=20`, acme, node),
    );
    await setTimeout(300);
    const body = { partnerId: 1 };
    expect((await admin.send('/v1/partner/deactivate', { token: root.token, body })).status).toBe(200);
    const { accounts } = world.db.tables;
    const [own] = (await world.db.select().from(accounts)).filter((row) => row.createdByPartnerId === 1);
    const owner = await world.member({ memberships: { [own?.id ?? 0]: 1 } });
    await world.call('account.rename', { name: 'Later' }, { token: owner.token, accountId: own?.id });
    await queueAll(world.service.services);
    for (const { code, events } of await Promise.all(waiting))
      expect([code, events]).toEqual(['invalid_partner_token', []]);
  });

  it('names no staff, and waits for the next event', async () => {
    await using test = await start();
    const { world, acme, read, admin, root } = test;
    const { userId } = await acme.register({ email: 'ada@partners.test' });
    await queueAll(world.service.services);
    const { nextCursor } = await read('');
    const waiting = read(`?after=${nextCursor}&wait=20`);
    const banned = await admin.send('/v1/member/ban', {
      token: root.token,
      body: { memberId: userId, reason: 'Spam' },
    });
    expect(banned.status).toBe(200);
    await queueAll(world.service.services);
    const { events } = await waiting;
    expect(events).toMatchObject([{ type: 'member.banned', actor: { kind: 'staff' } }]);
    expect(Object.keys(events[0]?.['actor'] ?? {})).toEqual(['kind']);
  });
});
