import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { removeOldDeliveries } from '@gatehouse/db/queries/delivery-log';
import { claimDeliveries } from '@gatehouse/db/queries/event-deliveries';
import { eraseMemberEvents } from '@gatehouse/db/queries/events';
import { continueRedelivery } from '@gatehouse/db/queries/redeliveries';
import { insertTestMember, type RunningService, readOutbox, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { accountErasure } from '../account/erasure-jobs.js';
import { eventRetention } from '../event/event-jobs.js';
import { changeColumn } from '../test/change-column.js';
import { deliverAll, queueAll } from '../test/deliver-all.js';
import { type EventReceiver, startEventReceiver } from '../test/event-receiver.js';
import { type PeopleWorld, startPeopleWorld } from '../test/people-world.js';
import { retryWaitMs } from './delivery-outcome.js';
import { freePlaces, hostOf } from './delivery-places.js';
import { eventRedelivery } from './redeliver-events.js';
import { readRetryAfter } from './send-event.js';

const MINUTE_MS = 60_000;

const HOUR_MS = 3_600_000;

const saved = z.object({ data: z.object({ id: z.int() }), secret: z.string() });

const listed = z.array(z.object({ redelivery: z.unknown() }));

interface As {
  readonly token: string;
  readonly accountId: number;
}

async function subscribe(world: PeopleWorld, as: As, url: string, types = ['account.*', 'membership.*']) {
  const body = { url, types };
  const response = await world.service.send('/v1/eventEndpoint/save', { ...as, body });
  const { data, secret } = saved.parse(await response.json());
  return { id: data.id, secret };
}

async function start(answerTo?: Parameters<typeof startEventReceiver>[0]) {
  const world = await startPeopleWorld();
  const receiver = await startEventReceiver(answerTo);
  const { id, owner } = await world.account('Kiln');
  const as = { token: owner.token, accountId: id };
  const endpoint = await subscribe(world, as, receiver.url);
  const rename = async (...names: string[]) => {
    for (const name of names) expect((await world.call('account.rename', { name }, as)).status).toBe(200);
  };
  const deliver = (on: RunningService = world.service) => deliverAll(on.services);
  return {
    world,
    receiver,
    id,
    owner,
    as,
    endpoint,
    rename,
    deliver,
    deliveries: async () => (await world.db.select().from(world.db.tables.eventDeliveries)) ?? [],
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const namesOf = ({ received }: Pick<EventReceiver, 'received'>) =>
  received.map(({ event }) => event.data['name'] ?? event.type);

describe('the events of one subject', () => {
  it('wait for an earlier one until it is delivered, while other subjects continue', async () => {
    let isDown = true;
    await using test = await start(({ event }) => ({
      status: isDown && event.subject.startsWith('account:') ? 500 : 200,
    }));
    const { world, receiver, rename, deliver, id, as } = test;
    const member = await world.member({ memberships: { [id]: 5 } });
    await rename('A', 'B');
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await deliver();
    expect(new Set(namesOf(receiver))).toEqual(new Set(['A', 'membership.roleChanged']));
    isDown = false;
    await deliver();
    expect(receiver.received).toHaveLength(2);
    world.wait(7_000);
    await deliver();
    await deliver();
    expect(namesOf(receiver).slice(2)).toEqual(['A', 'B']);
    const versions = receiver.received.slice(2).map(({ event }) => event.subjectVersion);
    expect(versions).toEqual([1, 2]);
  });

  it('continue after an earlier one has failed three times', async () => {
    await using test = await start(({ event }) => ({ status: event.data['name'] === 'A' ? 500 : 200 }));
    const { world, receiver, rename, deliver } = test;
    await rename('A', 'B', 'C');
    for (const waitMs of [0, 7_000, 37_000]) {
      world.wait(waitMs);
      await deliver();
    }
    await deliver();
    expect(namesOf(receiver)).toEqual(['A', 'A', 'A', 'B', 'C']);
  });

  it('are sent one after the other by two nodes that deliver at the same time', async () => {
    const answered: string[] = [];
    await using test = await start(async ({ event }) => {
      const name = String(event.data['name']);
      await new Promise((resolve) => setTimeout(resolve, 2));
      answered.push(name);
      return { status: 200 };
    });
    const { world, receiver, rename, deliver } = test;
    const names = Array.from({ length: 25 }, (_, at) => `Name ${at}`);
    await rename(...names);
    await Promise.all([deliver(), deliver(world.other)]);
    await Promise.all([deliver(), deliver(world.other)]);
    expect(namesOf(receiver)).toEqual(names);
    expect(answered).toEqual(names);
  });
});

describe('the events of one subject that a node has claimed together', () => {
  const NAMES = Array.from({ length: 12 }, (_, at) => `Name ${at}`);

  it('are sent one after the other, and stop at one that fails', async () => {
    let under = 0;
    let isDown = true;
    await using test = await start(async ({ event }) => {
      under += 1;
      expect(under).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      under -= 1;
      return { status: isDown && event.data['name'] === 'Name 10' ? 500 : 200 };
    });
    const { world, receiver, rename, deliver, deliveries } = test;
    await rename(...NAMES);
    await deliver();
    expect(namesOf(receiver)).toEqual(NAMES.slice(0, 11));
    expect((await deliveries()).slice(9)).toMatchObject([
      { state: 'delivered', failures: 0 },
      { state: 'pending', failures: 1, leaseToken: null },
      { state: 'pending', failures: 0, leaseToken: null },
    ]);
    isDown = false;
    await deliver();
    expect(receiver.received).toHaveLength(11);
    world.wait(7_000);
    await deliver();
    expect(namesOf(receiver).slice(11)).toEqual(NAMES.slice(10));
  });

  it('are left to the node that claimed them next if the lease ends between two of them', async () => {
    let lose: () => Promise<unknown> = () => Promise.resolve();
    await using test = await start(async ({ event }) => {
      if (event.data['name'] === 'Name 2') await lose();
      return { status: 200 };
    });
    const { world, receiver, rename, deliver, deliveries, endpoint } = test;
    await rename(...NAMES);
    await queueAll(world.service.services);
    lose = async () => {
      world.wait(MINUTE_MS + 1);
      const nowMs = world.service.services.now();
      const claim = { leaseToken: 'of another', leaseUntilMs: nowMs + MINUTE_MS, limit: 100, nowMs };
      await claimDeliveries(world.db, endpoint.id, claim);
    };
    await deliver();
    expect(namesOf(receiver)).toEqual(NAMES.slice(0, 3));
    const left = (await deliveries()).slice(3);
    expect(new Set(left.map(({ state, leaseToken }) => `${state} ${leaseToken}`))).toEqual(
      new Set(['pending of another']),
    );
    lose = () => Promise.resolve();
    world.wait(MINUTE_MS + 1);
    await deliver(world.other);
    expect(new Set(namesOf(receiver))).toEqual(new Set(NAMES));
  });

  it('wait for an earlier one that was due before them and was not claimed with them', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, deliveries } = test;
    await rename('A', 'B', 'C', 'D');
    await queueAll(world.service.services);
    const rows = await deliveries();
    const nowMs = world.service.services.now();
    for (const [at, dueMs] of [-2_000, -4_000, -1_000, -3_000].entries()) {
      const place = { table: 'event_deliveries', column: 'due_at_ms', id: rows[at]?.id ?? 0 };
      await changeColumn(world.db, place, nowMs + dueMs);
    }
    await deliver();
    expect(namesOf(receiver)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('are recorded after every eighth, so that at most eight are sent without a record when a node dies', async () => {
    const recorded: number[] = [];
    let count: () => Promise<number> = () => Promise.resolve(0);
    await using test = await start(async () => {
      recorded.push(await count());
      return { status: 200 };
    });
    const { rename, deliver, deliveries } = test;
    await rename(...NAMES);
    count = async () => (await deliveries()).filter(({ state }) => state === 'delivered').length;
    await deliver();
    expect(recorded).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8]);
  });
});

describe('a delivery that fails', () => {
  it('is sent again with the same id and body and a new timestamp', async () => {
    let status = 503;
    await using test = await start(() => ({ status, body: `caf\u00e9\n<b>${'x'.repeat(400)}` }));
    const { world, receiver, rename, deliver, as, endpoint, deliveries } = test;
    await rename('A');
    await deliver();
    world.wait(MINUTE_MS);
    status = 200;
    await deliver();
    const [first, second] = receiver.received;
    expect([first?.body, first?.headers['webhook-id']]).toEqual([
      second?.body,
      second?.headers['webhook-id'],
    ]);
    const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect((timestamps[1] ?? 0) - (timestamps[0] ?? 0)).toBeGreaterThanOrEqual(60);
    expect(first?.verify(endpoint.secret)).toMatchObject({ type: 'account.updated' });
    const [delivery] = await deliveries();
    const detail = (await world.call('eventDelivery.detail', { deliveryId: delivery?.id }, as)).data;
    expect(detail).toMatchObject({
      endpointId: endpoint.id,
      eventId: first?.event.id,
      type: 'account.updated',
      state: 'delivered',
      httpStatus: 200,
      attempts: [
        { httpStatus: 503, error: null, answer: expect.stringMatching(/^caf <b>x{249}$/) },
        { httpStatus: 200, error: null },
      ],
    });
  });

  it('is sent again after growing waits, given up after 72 hours, and sent again on request', async () => {
    let isDown = true;
    await using test = await start(({ event }) => ({
      status: isDown && event.data['name'] === 'A' ? 500 : 200,
    }));
    const { world, receiver, rename, deliver, deliveries, id } = test;
    await rename('A');
    const due: number[] = [];
    for (let attempts = 0; attempts < 30; attempts += 1) {
      await deliver();
      const [row] = await deliveries();
      if (row?.state !== 'pending') break;
      const nowMs = world.service.services.now();
      due.push(row.dueAtMs - nowMs);
      world.wait(row.dueAtMs - nowMs + 1);
      // Others are delivered, so that the endpoint stays live.
      await rename(`Other ${attempts}`);
      await deliver();
    }
    const minutes = [5 / 60, 0.5, 2, 10, 30, 60, 180, 360, 720, 720, 720, 720, 720];
    for (const [at, waitMs] of due.entries()) {
      const expected = (minutes[at] ?? 0) * MINUTE_MS;
      expect([at, waitMs > expected * 0.79 - 2_000, waitMs < expected * 1.21]).toEqual([at, true, true]);
    }
    expect(due.length).toBeGreaterThanOrEqual(11);
    const [row] = await deliveries();
    expect(row).toMatchObject({ state: 'failed' });
    isDown = false;
    const before = receiver.received.length;
    const ids = [row?.id ?? 0];
    // The owner's session is three days old.
    const { now } = world.service.services;
    const owner = await insertTestMember(world.db, { isConfirmed: true, memberships: { [id]: 1 }, now });
    const asOwner = { token: owner.token, accountId: id };
    const answer = await world.call('eventDelivery.redeliver', { ids }, asOwner);
    expect(answer).toMatchObject({ status: 200, data: { count: 1, redelivery: null } });
    await deliver();
    expect(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([
      row?.eventId,
    ]);
    expect((await deliveries())[0]).toMatchObject({ state: 'delivered' });
    const lines = await world.db.select().from(world.db.tables.auditLog);
    expect(lines.filter(({ action }) => action === 'endpoint.redelivered')).toHaveLength(1);
  });

  it('disables its endpoint with a 410, even when another event of the batch is accepted', async () => {
    await using test = await start(({ event }) => ({ status: event.type === 'account.updated' ? 410 : 200 }));
    const { world, receiver, rename, deliver, deliveries, id, as } = test;
    const member = await world.member({ memberships: { [id]: 5 } });
    await rename('A');
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await deliver();
    expect(new Set(namesOf(receiver))).toEqual(new Set(['A', 'membership.roleChanged']));
    const [endpoint] = await world.db.select().from(world.db.tables.eventEndpoints);
    expect(endpoint).toMatchObject({ state: 'disabled', fault: 'gone', failures: 1 });
    const gone = (await deliveries()).find(({ type }) => type === 'account.updated');
    expect(gone).toMatchObject({ state: 'pending', failures: 1 });
    expect((gone?.dueAtMs ?? 0) - world.service.services.now()).toBeGreaterThan(1_000);
  });

  it('to an endpoint of the deployment is reported to all staff who manage it', async () => {
    await using test = await start();
    const { world, rename } = test;
    const { db } = world;
    await using receiver = await startEventReceiver(() => ({ status: 410 }));
    const { now } = world.service.services;
    const options = { dialect: inject('dialect'), application: 'admin', database: db, now } as const;
    await using admin = await startService(createAdminApp, options);
    const staff = { isPersonnel: true, isConfirmed: true };
    const saver = await insertTestMember(db, { ...staff, roleType: 0 });
    const other = await insertTestMember(db, { ...staff, roleType: 0 });
    const support = await insertTestMember(db, { ...staff, roleType: 2 });
    const body = { url: receiver.url, types: ['account.*'] };
    expect((await admin.send('/v1/eventEndpoint/save', { token: saver.token, body })).status).toBe(200);
    await rename('A');
    await deliverAll(admin.services);
    const to = (await readOutbox(world.service)).flatMap((mail) =>
      mail.kind === 'endpointFailing' ? mail.to : [],
    );
    expect(to).toEqual(expect.arrayContaining([saver.email, other.email]));
    expect(to).not.toContain(support.email);
  });

  it('waits as long as Retry-After says, up to an hour', async () => {
    await using test = await start(() => ({ status: 429, headers: { 'retry-after': '1800' } }));
    const { world, rename, deliver, deliveries } = test;
    await rename('A');
    await deliver();
    const [row] = await deliveries();
    const waitMs = (row?.dueAtMs ?? 0) - world.service.services.now();
    expect(waitMs).toBeGreaterThan(1_790_000);
    expect(waitMs).toBeLessThanOrEqual(1_800_000);
    const nowMs = Date.parse('2026-01-05T09:00:00Z');
    expect(readRetryAfter('3600', nowMs)).toBe(HOUR_MS);
    expect(readRetryAfter('Mon, 05 Jan 2026 09:10:00 GMT', nowMs)).toBe(600_000);
    for (const header of [
      undefined,
      '',
      'soon',
      '0',
      '-5',
      '3601',
      '99999999999',
      '1e3',
      'Mon, 05 Jan 2026 08:00:00 GMT',
    ])
      expect([header, readRetryAfter(header, nowMs)]).toEqual([header, undefined]);
    for (let failures = 1; failures < 20; failures += 1)
      expect(retryWaitMs(failures)).toBeLessThanOrEqual(12 * HOUR_MS * 1.2);
  });

  it('does not follow a redirect, and counts it as a failure', async () => {
    await using elsewhere = await startEventReceiver();
    await using test = await start(() => ({ status: 302, headers: { location: elsewhere.url } }));
    const { rename, deliver, deliveries } = test;
    await rename('A');
    await deliver();
    expect(elsewhere.received).toEqual([]);
    expect((await deliveries())[0]).toMatchObject({ state: 'pending', failures: 1 });
  });
});

describe('an event that may no longer be sent', () => {
  it('waits while the account is closed, and is sent when it is open again', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, id, as, owner } = test;
    await rename('A');
    await world.call('account.close', { name: 'A' }, as);
    await deliver();
    expect(receiver.received).toEqual([]);
    await world.call('account.restore', { accountId: id }, owner);
    await deliver();
    expect(receiver.received.map(({ event }) => event.type)).toEqual([
      'account.updated',
      'account.removed',
      'account.updated',
    ]);
  });

  it('waits when the endpoint is switched off while it is queued', async () => {
    await using test = await start(() => ({ status: 500 }));
    const { world, receiver, rename, deliver, as, endpoint } = test;
    await rename('A');
    await deliver();
    const off = { endpointId: endpoint.id, url: receiver.url, types: ['account.*'], active: false };
    await world.call('eventEndpoint.save', off, as);
    world.wait(MINUTE_MS);
    await rename('B');
    await deliver();
    expect(namesOf(receiver)).toEqual(['A']);
    await world.call('eventEndpoint.save', { ...off, active: true }, as);
    await deliver();
    expect(namesOf(receiver)).toEqual(['A', 'A']);
  });

  it("is sent to an endpoint of the deployment only if the endpoint's level allows it", async () => {
    await using test = await start();
    const { world, id, rename } = test;
    await using receiver = await startEventReceiver();
    await using admin = await startService(createAdminApp, {
      dialect: inject('dialect'),
      application: 'admin',
      database: world.db,
      now: world.service.services.now,
    });
    const root = await insertTestMember(world.db, { roleType: 0, isPersonnel: true, isConfirmed: true });
    const body = { url: receiver.url, types: ['account.*'] };
    const made = await admin.send('/v1/eventEndpoint/save', { token: root.token, body });
    expect([made.status, saved.safeParse(await made.json()).success]).toEqual([200, true]);
    await rename('Seen');
    await deliverAll(admin.services);
    await rename('Hidden');
    await queueAll(admin.services);
    await changeColumn(world.db, { table: 'accounts', column: 'required_level', by: 'id', id }, 2);
    await deliverAll(admin.services);
    const queued = await world.db.select().from(world.db.tables.eventDeliveries);
    expect(queued.flatMap(({ state, endpointId }) => (endpointId === test.endpoint.id ? [] : state))).toEqual(
      ['delivered', 'skipped'],
    );
    expect(namesOf(receiver)).toEqual(['Seen']);
    expect(receiver.received[0]?.event.actor).toMatchObject({ kind: 'member' });
  });
});

describe('a node that delivers events', () => {
  it('delays no endpoint because of a slow one', async () => {
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using test = await start(async () => {
      await isReleased;
      return { status: 200 };
    });
    const { world, receiver, rename, as } = test;
    await using quick = await startEventReceiver();
    await subscribe(world, as, quick.url);
    await rename('A');
    const turn = deliverAll(world.service.services);
    await until(() => receiver.received.length === 1 && quick.received.length === 1);
    await rename('B');
    await queueAll(world.service.services);
    await until(() => quick.received.length === 2);
    expect(namesOf(receiver)).toEqual(['A']);
    release();
    await turn;
    expect([namesOf(receiver), namesOf(quick)]).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
  });

  it('continues with the other endpoints when the rows of one make it fail', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, deliveries, as, endpoint } = test;
    await using healthy = await startEventReceiver();
    await using unreadable = await startEventReceiver();
    const sealed = await subscribe(world, as, unreadable.url);
    await subscribe(world, as, healthy.url);
    const secret = { table: 'event_endpoints', column: 'secret', id: sealed.id };
    await changeColumn(world.db, secret, 'sealed with a lost key');
    await rename('A');
    await queueAll(world.service.services);
    const attempts = { table: 'event_deliveries', column: 'attempts', by: 'endpoint_id', id: endpoint.id };
    await changeColumn(world.db, attempts, '{}');
    await deliver();
    await deliver();
    // It is not sent again and again while nothing can be recorded.
    expect([namesOf(receiver), namesOf(healthy), namesOf(unreadable)]).toEqual([['A'], ['A'], []]);
    const ofBroken = (await deliveries()).find(({ endpointId }) => endpointId === endpoint.id);
    expect(ofBroken).toMatchObject({ state: 'failed', attempts: [] });
    const listed = (await world.call('eventEndpoint.list', {}, as)).data;
    expect(listed).toMatchObject([{}, { id: sealed.id, failures: 1, secretBeginning: '' }, {}]);
    const filter = { endpointId: sealed.id };
    const [delivery] = (await world.call('eventDelivery.list', filter, as)).data as { id: number }[];
    const detail = await world.call('eventDelivery.detail', { deliveryId: delivery?.id }, as);
    expect(detail.data).toMatchObject({ state: 'pending', attempts: [{ error: 'secret_unreadable' }] });
    await world.call('eventEndpoint.rotateSecret', { endpointId: sealed.id }, as);
    world.wait(2 * MINUTE_MS);
    await deliver();
    expect([namesOf(receiver), namesOf(unreadable)]).toEqual([['A'], ['A']]);
  });

  it('records the results of the rest of a batch when the row of one endpoint is broken', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, deliveries, id, as } = test;
    const member = await world.member({ memberships: { [id]: 5 } });
    await rename('A');
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await queueAll(world.service.services);
    const [first] = await deliveries();
    const place = { table: 'event_deliveries', column: 'attempts', id: first?.id ?? 0 };
    await changeColumn(world.db, place, '{}');
    await deliver();
    expect((await deliveries()).map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ['failed', 0],
      ['delivered', 1],
    ]);
    world.wait(2 * MINUTE_MS);
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });

  it('records what it sent even when it cannot disable the endpoint', async () => {
    await using test = await start(({ event }) => ({ status: event.type === 'account.updated' ? 410 : 200 }));
    const { world, receiver, rename, deliver, deliveries, id, as } = test;
    const member = await world.member({ memberships: { [id]: 5 } });
    await rename('A');
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await queueAll(world.service.services);
    const run = (sql: string) => world.db.write({ toSQL: () => ({ sql, params: [] }) });
    await run(
      inject('dialect') === 'mysql'
        ? "create trigger stuck before insert on audit_log for each row if new.action = 'endpoint.disabled' then signal sqlstate '45000' set message_text = 'stuck'; end if"
        : "create trigger stuck before insert on audit_log when new.action = 'endpoint.disabled' begin select raise(abort, 'stuck'); end",
    );
    await deliver();
    await run('drop trigger stuck');
    expect(receiver.received).toHaveLength(2);
    expect((await deliveries()).map(({ state, failures }) => [state, failures])).toEqual([
      ['pending', 1],
      ['delivered', 0],
    ]);
  });

  it('continues with the other endpoints when it cannot read the address of one', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, as, endpoint } = test;
    await using healthy = await startEventReceiver();
    await subscribe(world, as, healthy.url);
    const url = { table: 'event_endpoints', column: 'url', id: endpoint.id };
    await changeColumn(world.db, url, 'nonsense');
    await rename('A');
    await deliver();
    expect([namesOf(receiver), namesOf(healthy)]).toEqual([[], ['A']]);
    await changeColumn(world.db, url, receiver.url);
    // It is left alone for a minute, and then sent what waits.
    await deliver();
    expect(namesOf(receiver)).toEqual([]);
    world.wait(2 * MINUTE_MS);
    await deliver();
    expect(namesOf(receiver)).toEqual(['A']);
  });

  it('queues events for the other endpoints when it does not know the types of one', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, as, endpoint } = test;
    await using broken = await startEventReceiver();
    await using healthy = await startEventReceiver();
    const other = await subscribe(world, as, broken.url);
    await subscribe(world, as, healthy.url);
    const typesOf = (id: number) => ({ table: 'event_endpoints', column: 'types', id });
    await changeColumn(world.db, typesOf(endpoint.id), '["account.*","account.moved","orbit.*"]');
    await changeColumn(world.db, typesOf(other.id), '5');
    await rename('A');
    await deliver();
    expect([namesOf(receiver), namesOf(broken), namesOf(healthy)]).toEqual([['A'], [], ['A']]);
    await changeColumn(world.db, typesOf(other.id), '["account.*"]');
    world.wait(2 * MINUTE_MS);
    await deliver();
    expect(namesOf(broken)).toEqual(['A']);
  });

  it('queues events of types that only a newer release knows', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, endpoint } = test;
    const types = { table: 'event_endpoints', column: 'types', id: endpoint.id };
    await changeColumn(world.db, types, '["account.moved","orbit_.*"]');
    await rename('A', 'B', 'C', 'D');
    const stored = await world.db.select().from(world.db.tables.events);
    for (const [at, type] of [
      'account.moved',
      'orbit_.entered',
      'orbitX.left',
      'account.movedAway',
    ].entries())
      await changeColumn(world.db, { table: 'events', column: 'type', id: stored[at]?.id ?? 0 }, type);
    await deliver();
    await deliver();
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['account.moved', 'orbit_.entered']);
  });

  it('keeps one place for an endpoint that fails, so that others at its host get theirs', async () => {
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const healthy = { secret: '' };
    await using test = await start(async ({ verify }) => {
      if (!isSignedWith(verify, healthy.secret)) await isReleased;
      return { status: 200 };
    });
    const { world, receiver, rename, as, endpoint } = test;
    const failing = [endpoint.id];
    for (let at = 1; at < 4; at += 1) failing.push((await subscribe(world, as, receiver.url)).id);
    for (const id of failing)
      await changeColumn(world.db, { table: 'event_endpoints', column: 'failures', id }, 5);
    healthy.secret = (await subscribe(world, as, receiver.url)).secret;
    await rename('A');
    const turn = deliverAll(world.service.services);
    await until(() => receiver.received.some(({ verify }) => isSignedWith(verify, healthy.secret)));
    release();
    await turn;
    expect(namesOf(receiver)).toEqual(['A', 'A', 'A', 'A', 'A']);
  });

  it('pauses between the attempts to an endpoint that keeps failing while others get theirs', async () => {
    const failing = { secret: '' };
    await using test = await start(async ({ verify }) => {
      if (isSignedWith(verify, failing.secret)) return { status: 500 };
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { status: 200 };
    });
    const { world, receiver, rename, deliver, as, endpoint } = test;
    failing.secret = endpoint.secret;
    await changeColumn(world.db, { table: 'event_endpoints', column: 'failures', id: endpoint.id }, 5);
    await queueForMembers(world, endpoint.id, 20);
    await subscribe(world, as, receiver.url);
    await rename('A', 'B', 'C', 'D', 'E', 'F');
    const startMs = performance.now();
    await deliver();
    const rests = (performance.now() - startMs) / 500;
    const areFailed = receiver.received.map(({ verify }) => isSignedWith(verify, failing.secret));
    const meanwhile = areFailed.slice(0, areFailed.lastIndexOf(false)).filter((isFailed) => isFailed);
    expect(meanwhile.length).toBeLessThanOrEqual(1 + rests);
    expect(areFailed.filter((isFailed) => isFailed)).toHaveLength(21);
  });

  it('serves the endpoints of a host in turn', { timeout: 60_000 }, async () => {
    await using test = await start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return { status: 200 };
    });
    const { world, receiver, rename, deliver, as } = test;
    for (let at = 1; at < 4; at += 1) await subscribe(world, as, receiver.url);
    const { secret: last } = await subscribe(world, as, receiver.url);
    const names = Array.from({ length: 12 }, (_, at) => `Name ${at}`);
    await rename(...names);
    await deliver();
    expect(receiver.received).toHaveLength(5 * names.length);
    const isOfLast = receiver.received.map(({ verify }) => isSignedWith(verify, last));
    // Each of the first four is served for about a second, in which it gets four events or so.
    expect(isOfLast.indexOf(true)).toBeLessThan(32);
  });

  it('serves others while all endpoints of an account are slow', async () => {
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using test = await start(async () => {
      await isReleased;
      return { status: 200 };
    });
    const { world, receiver, as } = test;
    await using quick = await startEventReceiver();
    const { port } = new URL(receiver.url);
    for (let at = 2; at <= 10; at += 1) await subscribe(world, as, `http://host-${at}.localhost:${port}/`);
    const other = await world.account('Quick');
    const asOther = { token: other.owner.token, accountId: other.id };
    await subscribe(world, asOther, quick.url);
    await test.rename('A');
    await world.call('account.rename', { name: 'B' }, asOther);
    const turn = deliverAll(world.service.services);
    await until(() => receiver.received.length === 10 && quick.received.length === 1);
    release();
    await turn;
    expect(receiver.received).toHaveLength(10);
  });

  it('serves others of a host at once while several endpoints there are slow again', {
    timeout: 30_000,
  }, async () => {
    let isSlow = true;
    await using test = await start(async () => {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3_000));
      return { status: 200 };
    });
    const { world, receiver, as, rename } = test;
    for (let at = 2; at <= 4; at += 1) await subscribe(world, as, receiver.url);
    await rename('A');
    await deliverAll(world.service.services);
    expect(receiver.received).toHaveLength(4);
    await using quick = await startEventReceiver();
    const other = await world.account('Quick');
    const asOther = { token: other.owner.token, accountId: other.id };
    await rename('B');
    const turn = deliverAll(world.service.services);
    await until(() => receiver.received.length > 4);
    await subscribe(world, asOther, quick.url);
    await world.call('account.rename', { name: 'B' }, asOther);
    await queueAll(world.service.services);
    const startMs = performance.now();
    await until(() => quick.received.length === 1);
    const waitedMs = performance.now() - startMs;
    isSlow = false;
    await turn;
    expect(waitedMs).toBeLessThan(1_500);
  });

  it('gives endpoints that were slow half of the places of a node and of a host', () => {
    const hold = (count: number, hosts: number) =>
      Array.from({ length: count }, (_, at) => ({ host: `${at % hosts}`, isSlow: true, places: 8 }));
    const left = (held: ReturnType<typeof hold>, host: string) =>
      [true, false].map((isSlow) => freePlaces(held, { host, isSlow }));
    expect(left([], '0')).toEqual([16, 32]);
    expect(left(hold(2, 1), '0')).toEqual([0, 16]);
    expect(left(hold(2, 1), '1')).toEqual([16, 32]);
    expect(left(hold(16, 16), 'other')).toEqual([0, 32]);
  });

  it('counts all ports of a host together, and a name with a trailing dot as the same host', () => {
    const hosts = ['https://hooks.example/', 'https://HOOKS.example.:8443/other'].map(hostOf);
    expect(hosts).toEqual(['hooks.example', 'hooks.example']);
  });

  it('records what it has sent when it stops, and sends nothing more', async () => {
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using test = await start(async () => {
      await isReleased;
      return { status: 200 };
    });
    const { world, receiver, rename, deliver, deliveries } = test;
    await rename('A', 'B');
    const turn = deliver();
    await until(() => receiver.received.length === 1);
    world.service.services.stopping.abort();
    release();
    await turn;
    expect(namesOf(receiver)).toEqual(['A']);
    expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'pending']);
    await deliver(world.other);
    expect(namesOf(receiver)).toEqual(['A', 'B']);
  });

  it('releases claimed deliveries that it has not sent when it stops, or fails at one delivery', async () => {
    let status = 200;
    await using test = await start(() => {
      if (status === 200) world.service.services.stopping.abort();
      return { status };
    });
    const { world, receiver, deliver, deliveries, endpoint } = test;
    await queueForMembers(world, endpoint.id, 20);
    await deliver();
    expect(receiver.received).toHaveLength(8);
    const left = (await deliveries()).filter(({ state }) => state === 'pending');
    expect(left.map(({ leaseToken }) => leaseToken)).toEqual(Array.from({ length: 12 }, () => null));
    status = 500;
    await deliver(world.other);
    expect(receiver.received).toHaveLength(20);
    expect((await deliveries()).filter(({ failures }) => failures === 1)).toHaveLength(12);
  });

  it('sends nothing more of what it has claimed to a removed endpoint', async () => {
    let remove: () => Promise<unknown> = () => Promise.resolve();
    await using test = await start(async () => {
      await remove();
      return { status: 200 };
    });
    const { world, receiver, deliver, endpoint, as } = test;
    await queueForMembers(world, endpoint.id, 20);
    remove = () => world.call('eventEndpoint.remove', { endpointId: endpoint.id }, as);
    await deliver();
    expect(receiver.received).toHaveLength(8);
  });

  it.each([
    ['removed', 'eventEndpoint.remove', {}],
    ['switched off', 'eventEndpoint.save', { active: false }],
    ['closed with its account', 'account.close', { name: 'C', endpointId: undefined }],
  ])(
    'sends no later event of a subject to an endpoint that is %s while an earlier one is under way',
    async (_, procedure, input) => {
      let end: () => Promise<unknown> = () => Promise.resolve();
      await using test = await start(async () => {
        await end();
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { status: 200 };
      });
      const { world, receiver, rename, deliver, endpoint, as } = test;
      await rename('A', 'B', 'C');
      end = () => world.call(procedure, { endpointId: endpoint.id, ...input }, as);
      await deliver();
      expect(namesOf(receiver)).toEqual(['A']);
    },
  );

  it('sends no names of a member who is erased while an earlier event about them is under way', async () => {
    let erase: () => Promise<unknown> = () => Promise.resolve();
    await using test = await start(async () => {
      await erase();
      await new Promise((resolve) => setTimeout(resolve, 150));
      return { status: 200 };
    });
    const { world, receiver, deliver, endpoint } = test;
    const { eventDeliveries, events } = world.db.tables;
    await queueForMembers(world, endpoint.id, 3);
    const named = { subjectId: 1_000, type: 'member.updated', data: { firstName: 'Ida' } };
    await world.db.write(world.db.update(events).set(named));
    await world.db.write(world.db.update(eventDeliveries).set({ subject: 'member:1000' }));
    erase = () => eraseMemberEvents(world.db, 1_000);
    await deliver();
    expect(receiver.received.map(({ body }) => body.includes('Ida'))).toEqual([true, false, false]);
  });

  it('sends nothing to an endpoint that is switched off while its deliveries are claimed', async () => {
    await using test = await start();
    const { world, receiver, deliver, deliveries, endpoint } = test;
    await queueForMembers(world, endpoint.id, 2);
    const run = (sql: string) => world.db.write({ toSQL: () => ({ sql, params: [] }) });
    const isClaimed = 'new.lease_token is not null and old.lease_token is null';
    const switchOff = 'update event_endpoints set active = 0 where id = new.endpoint_id;';
    const claim = 'create trigger off after update on event_deliveries for each row';
    await run(
      inject('dialect') === 'mysql'
        ? `${claim} begin if ${isClaimed} then ${switchOff} end if; end`
        : `${claim} when ${isClaimed} begin ${switchOff} end`,
    );
    await deliver();
    await run('drop trigger off');
    expect(receiver.received).toEqual([]);
    expect((await deliveries()).map(({ state, leaseToken }) => [state, leaseToken])).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
  });

  it('sends no names of a member who was erased after it claimed the delivery', async () => {
    const count = 20;
    let erase: () => Promise<unknown> = () => Promise.resolve();
    await using test = await start(async () => {
      await erase();
      return { status: 200 };
    });
    const { world, receiver, deliver, endpoint } = test;
    const { events } = world.db.tables;
    await queueForMembers(world, endpoint.id, count);
    const named = { username: 'ida', firstName: 'Ida', lastName: 'Berg', email: 'ida@many.test' };
    await world.db.write(world.db.update(events).set({ type: 'member.updated', data: named }));
    erase = async () => {
      for (let at = 0; at < count; at += 1) await eraseMemberEvents(world.db, 1_000 + at);
    };
    await deliver();
    expect(receiver.received).toHaveLength(count);
    expect(receiver.received.filter(({ body }) => body.includes('Ida'))).toHaveLength(8);
  });

  it('sends nothing that another node claimed after its own lease ended', async () => {
    let wait: () => Promise<unknown> = () => Promise.resolve();
    await using test = await start(async () => {
      await wait();
      return { status: 200 };
    });
    const { world, receiver, deliver, deliveries, endpoint } = test;
    await queueForMembers(world, endpoint.id, 20);
    let hasWaited = false;
    wait = async () => {
      if (hasWaited) return;
      hasWaited = true;
      world.wait(MINUTE_MS + 1);
      const nowMs = world.service.services.now();
      const claim = { leaseToken: 'of another', leaseUntilMs: nowMs + MINUTE_MS, limit: 100, nowMs };
      await claimDeliveries(world.db, endpoint.id, claim);
    };
    await deliver();
    expect(receiver.received).toHaveLength(8);
    const left = (await deliveries()).filter(({ state }) => state === 'pending');
    expect(left.map(({ leaseToken }) => leaseToken)).toEqual(Array.from({ length: 12 }, () => 'of another'));
  });

  it('loses nothing when it dies: another node sends what it held once the lease ends', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, endpoint, deliveries } = test;
    await rename('A');
    await queueAll(world.service.services);
    const nowMs = world.service.services.now();
    const claim = { leaseToken: 'of the dead', leaseUntilMs: nowMs + MINUTE_MS, limit: 8, nowMs };
    expect(await claimDeliveries(world.db, endpoint.id, claim)).toHaveLength(1);
    await deliver();
    expect(receiver.received).toEqual([]);
    world.wait(MINUTE_MS + 1);
    await deliver(world.other);
    expect(namesOf(receiver)).toEqual(['A']);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', leaseToken: null }]);
  });

  it('keeps its claim on what it is sending when a person resumes the endpoint', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, endpoint, as } = test;
    await rename('A');
    await queueAll(world.service.services);
    const nowMs = world.service.services.now();
    const claim = { leaseToken: 'under way', leaseUntilMs: nowMs + MINUTE_MS, limit: 8, nowMs };
    expect(await claimDeliveries(world.db, endpoint.id, claim)).toHaveLength(1);
    const resume = { endpointId: endpoint.id, from: 'lastDelivered' };
    expect((await world.call('eventEndpoint.resume', resume, as)).status).toBe(200);
    await deliver();
    expect(receiver.received).toEqual([]);
    world.wait(MINUTE_MS + 1);
    await deliver();
    expect(namesOf(receiver)).toEqual(['A']);
  });

  it('keeps its claim on what it is sending when a person resumes the endpoint from now on', async () => {
    await using test = await start();
    const { world, rename, endpoint, as, deliveries } = test;
    const member = await world.member({ memberships: { [test.id]: 5 } });
    await rename('A');
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await queueAll(world.service.services);
    const nowMs = world.service.services.now();
    const claim = { leaseToken: 'under way', leaseUntilMs: nowMs + MINUTE_MS, limit: 1, nowMs };
    expect(await claimDeliveries(world.db, endpoint.id, claim)).toHaveLength(1);
    const resume = { endpointId: endpoint.id, from: 'now' };
    expect((await world.call('eventEndpoint.resume', resume, as)).status).toBe(200);
    expect((await deliveries()).map(({ state, leaseToken }) => [state, leaseToken])).toEqual([
      ['pending', 'under way'],
      ['failed', null],
    ]);
  });

  it.each([200, 500])(
    'keeps the order when a delivery that it is sending is requested again, whose answer is %d',
    async (first) => {
      let again: () => Promise<unknown> = () => Promise.resolve();
      let sent = 0;
      await using test = await start(async () => {
        sent += 1;
        if (sent > 1) return { status: 200 };
        await again();
        return { status: first };
      });
      const { world, receiver, rename, deliver, deliveries, as } = test;
      await rename('A', 'B');
      await queueAll(world.service.services);
      again = async () => {
        const ids = (await deliveries()).slice(0, 1).map(({ id }) => id);
        expect((await world.call('eventDelivery.redeliver', { ids }, as)).status).toBe(200);
      };
      await deliver();
      // An accepted attempt that was in progress counts as the requested one.
      expect(namesOf(receiver)).toEqual(first === 200 ? ['A', 'B'] : ['A', 'A', 'B']);
      expect((await deliveries()).map(({ state, leaseToken }) => [state, leaseToken])).toEqual([
        ['delivered', null],
        ['delivered', null],
      ]);
    },
  );

  it('counts what it delivered, and what waits', async () => {
    let status = 500;
    await using test = await start(() => ({ status }));
    const { world, rename, deliver } = test;
    await rename('A');
    await deliver();
    const { metrics } = world.service.services;
    const text = async () => (await metrics.render()).text;
    expect(await text()).toContain('gatehouse_event_deliveries_total{outcome="postponed"} 1\n');
    expect(await text()).toContain('gatehouse_event_backlog 1\n');
    world.wait(MINUTE_MS);
    expect(await text()).toMatch(/gatehouse_event_backlog_oldest_seconds 6\d/);
    status = 200;
    await deliver();
    expect(await text()).toContain('gatehouse_event_deliveries_total{outcome="delivered"} 1\n');
    expect(await text()).toContain('gatehouse_event_delay_seconds_count 1\n');
    expect(await text()).toContain('gatehouse_event_backlog 0\n');
  });
});

describe('an endpoint that is far behind', () => {
  it('has at most a thousand events queued, and is disabled when over 100,000 of its types wait', {
    timeout: 120_000,
  }, async () => {
    await using test = await start(() => ({ status: 500 }));
    const { world, id, rename, endpoint, deliveries } = test;
    const { db } = world;
    const { events, eventAudiences, eventDeliveries } = db.tables;
    const nowMs = world.service.services.now();
    const places = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
    const queue = (positions: readonly number[], failures: number) =>
      db.insertMany(
        eventDeliveries,
        positions.map((position) => ({
          endpointId: endpoint.id,
          position,
          eventId: `evt_${position}`,
          type: 'account.updated',
          subject: 'account:1',
          state: 'pending' as const,
          failures,
          attempts: [],
          queuedAtMs: nowMs,
          dueAtMs: nowMs + HOUR_MS,
          createdAtMs: nowMs,
        })),
      );
    const publish = async (positions: readonly number[], type: string) => {
      const stored = positions.map((position) => ({
        publicId: `evt_${position}`,
        position,
        type,
        version: 1,
        atMs: nowMs,
        subjectKind: 'account' as const,
        subjectId: id,
        subjectVersion: position,
        accountId: id,
        actorKind: 'system' as const,
        actorId: null,
        data: {},
        audience: { accounts: [id], partners: [] },
      }));
      await db.insertMany(events, stored);
      await db.insertMany(
        eventAudiences,
        positions.map((position) => ({ audience: `account:${id}`, position })),
      );
    };
    const state = async () => {
      await queueAll(world.service.services);
      const [row] = await db.select().from(db.tables.eventEndpoints);
      return [row?.state, row?.fault];
    };
    await queue(places(1_000_000, 1_000), 0);
    await rename('Waits in the feed');
    expect(await state()).toEqual(['live', null]);
    expect(await deliveries()).toHaveLength(1_000);
    for (let from = 0; from < 50_000; from += 5_000) {
      await queue(places(2_000_000 + from, 5_000), 3);
      await publish(places(3_000_000 + from, 5_000), 'invitation.created');
    }
    world.wait(MINUTE_MS + 1);
    expect(await state()).toEqual(['live', null]);
    const types = { table: 'event_endpoints', column: 'types', id: endpoint.id };
    await changeColumn(db, types, '["account.*","invitation.*"]');
    // A node counts them once a minute.
    expect(await state()).toEqual(['live', null]);
    // Those that failed three times do not fill the queue, and count.
    await changeColumn(db, { table: 'event_deliveries', column: 'state', by: 'failures', id: 0 }, 'failed');
    world.wait(MINUTE_MS + 1);
    expect(await state()).toEqual(['disabled', 'backlog']);
  });
});

describe('the log of deliveries', () => {
  it('is filtered, paged and kept for 30 days', async () => {
    await using test = await start(({ event }) => ({ status: event.data['name'] === 'B' ? 500 : 200 }));
    const { world, rename, deliver, as, deliveries, endpoint } = test;
    await rename('A', 'B');
    await deliver();
    await world.call('invitation.create', { email: 'guest@many.test', roleType: 5 }, as);
    const list = async (input: object) => {
      const response = await world.service.send('/v1/eventDelivery/list', { ...as, body: input });
      const body = z
        .object({
          data: z.array(z.object({ id: z.int(), state: z.string() })),
          page: z.object({ nextCursor: z.string().nullable() }),
        })
        .parse(await response.json());
      return { states: body.data.map(({ state }) => state), cursor: body.page.nextCursor };
    };
    expect((await list({})).states).toEqual(['pending', 'delivered']);
    expect((await list({ state: 'delivered' })).states).toEqual(['delivered']);
    expect((await list({ type: 'membership.added' })).states).toEqual([]);
    expect((await list({ endpointId: endpoint.id + 1 })).states).toEqual([]);
    expect((await list({ to: '2026-01-01T00:00:00Z' })).states).toEqual([]);
    const { states, cursor } = await list({ limit: 1 });
    expect(states).toEqual(['pending']);
    expect((await list({ limit: 1, cursor })).states).toEqual(['delivered']);
    const nowMs = world.service.services.now();
    expect(await removeOldDeliveries(world.db, { beforeMs: nowMs - HOUR_MS, limit: 10 })).toBe(0);
    expect(await removeOldDeliveries(world.db, { beforeMs: nowMs + 1, limit: 10 })).toBe(2);
    expect(await deliveries()).toEqual([]);
  });

  it('loses the deliveries of a removed endpoint and of an erased account', async () => {
    await using test = await start(() => ({ status: 200, body: 'what the receiver answered' }));
    const { world, rename, deliver, deliveries, as, id, endpoint } = test;
    const { services } = world.service;
    const removed = await subscribe(world, as, test.receiver.url);
    await rename('A', 'B', 'C');
    await deliver();
    await deliver();
    const kept = async () => {
      while ((await eventRetention.run(services)) > 0);
      return (await deliveries()).map(({ endpointId }) => endpointId);
    };
    expect(new Set(await kept())).toEqual(new Set([endpoint.id, removed.id]));
    await world.call('eventEndpoint.remove', { endpointId: removed.id }, as);
    expect(await kept()).toEqual([endpoint.id, endpoint.id, endpoint.id]);
    await world.call('account.close', { name: 'C' }, as);
    await changeColumn(world.db, { table: 'accounts', column: 'erases_at_ms', id }, 1);
    while ((await accountErasure.run(services)) > 0);
    expect(await kept()).toEqual([]);
  });

  it('deletes old deliveries first, and those of removed endpoints when no old ones are left', async () => {
    await using test = await start();
    const { world, rename, deliver, deliveries, as, endpoint } = test;
    const removed = await subscribe(world, as, test.receiver.url);
    await rename('A');
    await deliver();
    await changeColumn(
      world.db,
      { table: 'event_deliveries', column: 'created_at_ms', by: 'endpoint_id', id: endpoint.id },
      1,
    );
    await world.call('eventEndpoint.remove', { endpointId: removed.id }, as);
    expect(await eventRetention.run(world.service.services)).toBe(1);
    expect((await deliveries()).map(({ endpointId }) => endpointId)).toEqual([removed.id]);
    expect(await eventRetention.run(world.service.services)).toBe(1);
    expect(await deliveries()).toEqual([]);
  });

  it('sends deliveries of several endpoints again, with an entry in the audit log for each', async () => {
    await using test = await start();
    const { world, rename, deliver, as, deliveries } = test;
    await using others = await startEventReceiver();
    const second = await subscribe(world, as, others.url);
    const third = await subscribe(world, as, others.url);
    await rename('A', 'B');
    await deliver();
    await deliver();
    const stored = await deliveries();
    const ofSecond = stored.filter(({ endpointId }) => endpointId === second.id).map(({ id }) => id);
    const ofThird = stored.filter(({ endpointId }) => endpointId === third.id).map(({ id }) => id);
    const ids = [...ofSecond, ...ofThird.slice(0, 1)];
    expect(await world.call('eventDelivery.redeliver', { ids }, as)).toMatchObject({ data: { count: 3 } });
    const lines = await world.db.select().from(world.db.tables.auditLog);
    const redelivered = lines.filter(({ action }) => action === 'endpoint.redelivered');
    expect(redelivered.map(({ subjectId, after }) => [subjectId, after])).toEqual([
      [String(second.id), { count: 2 }],
      [String(third.id), { count: 1 }],
    ]);
  });

  it('sends every delivery of an endpoint in a time range again, and refuses a range without both ends', async () => {
    await using test = await start();
    const { world, receiver, rename, deliver, as, endpoint } = test;
    await rename('A', 'B');
    await deliver();
    const range = { endpointId: endpoint.id, from: '2026-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
    const ask = async (input: object) => {
      const { status, code, data } = await world.call('eventDelivery.redeliver', input, as);
      return [status, code, (data as { count?: number } | undefined)?.count];
    };
    expect(await ask(range)).toEqual([200, undefined, 0]);
    const { services } = world.service;
    while ((await eventRedelivery.run(services)) > 0);
    await deliver();
    await deliver();
    expect(namesOf(receiver)).toEqual(['A', 'B', 'A', 'B']);
    const [shown] = listed.parse((await world.call('eventEndpoint.list', {}, as)).data);
    expect(shown?.redelivery).toMatchObject({ state: 'done', count: 2, from: '2026-01-01T00:00:00.000Z' });
    expect(await ask({ ids: [1_000_000] })).toEqual([404, 'not_found', undefined]);
    for (const input of [{}, { endpointId: endpoint.id }, { ...range, ids: [1] }])
      expect(await ask(input)).toEqual([400, 'invalid_input', undefined]);
  });
});

describe('a redelivery', () => {
  const range = { from: '2026-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };

  async function startWithDelivered(count: number) {
    const test = await start();
    const { world, endpoint, as } = test;
    const { eventDeliveries, auditLog } = world.db.tables;
    const nowMs = world.service.services.now();
    await world.db.insertMany(
      eventDeliveries,
      Array.from({ length: count }, (_, at) => ({
        endpointId: endpoint.id,
        position: at + 1,
        eventId: `evt_${at}`,
        type: 'account.updated',
        subject: `account:${at}`,
        state: 'delivered' as const,
        attempts: [],
        queuedAtMs: nowMs,
        dueAtMs: nowMs,
        createdAtMs: nowMs,
      })),
    );
    const ask = async () => {
      const input = { ...range, endpointId: endpoint.id };
      const { status, data } = await world.call('eventDelivery.redeliver', input, as);
      return [status, z.object({ redelivery: z.unknown() }).parse(data).redelivery];
    };
    return {
      ...test,
      ask,
      shown: async () => listed.parse((await world.call('eventEndpoint.list', {}, as)).data)[0]?.redelivery,
      pending: async () => (await test.deliveries()).filter(({ state }) => state === 'pending').length,
      lines: async () =>
        (await world.db.select().from(auditLog)).filter(({ action }) => action === 'endpoint.redelivered'),
      [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
    };
  }

  it('queues each delivery once on two nodes, in parts, is answered while it runs, and audited once', async () => {
    await using test = await startWithDelivered(3_500);
    const { world, ask, shown, pending, lines } = test;
    const running = { state: 'running', count: 0, endedAt: null };
    const asked = await Promise.all([ask(), ask(), ask()]);
    for (const answer of asked) expect(answer).toEqual([200, expect.objectContaining(running)]);
    const { services } = world.service;
    expect(await eventRedelivery.run(services)).toBe(1_000);
    expect(await ask()).toEqual([200, expect.objectContaining({ state: 'running', count: 1_000 })]);
    const counts = await Promise.all([
      eventRedelivery.run(services),
      eventRedelivery.run(world.other.services),
      eventRedelivery.run(services),
      eventRedelivery.run(world.other.services),
    ]);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(2_500);
    expect([await pending(), await lines()]).toEqual([3_500, [expect.anything()]]);
    expect(await shown()).toMatchObject({ state: 'done', count: 3_500, endedAt: expect.any(String) });
    expect(await eventRedelivery.run(services)).toBe(0);
    expect(await ask()).toEqual([200, expect.objectContaining(running)]);
    expect(await lines()).toHaveLength(2);
  });

  it('continues where it was when the transaction of a part is rolled back', async () => {
    await using test = await startWithDelivered(1_500);
    const { world, endpoint, ask, shown, pending } = test;
    await ask();
    const undone = world.db.transaction(async (tx) => {
      await continueRedelivery(tx, endpoint.id, world.service.services.now());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await pending(), await shown()]).toMatchObject([0, { count: 0 }]);
    while ((await eventRedelivery.run(world.other.services)) > 0);
    expect([await pending(), await shown()]).toMatchObject([1_500, { state: 'done', count: 1_500 }]);
  });

  it('stops when its endpoint is switched off, and ends with a removed one', async () => {
    await using test = await startWithDelivered(2_500);
    const { world, endpoint, as, ask, shown, pending } = test;
    await ask();
    const { services } = world.service;
    await eventRedelivery.run(services);
    await world.call('eventEndpoint.save', { endpointId: endpoint.id, active: false }, as);
    expect(await eventRedelivery.run(world.other.services)).toBe(0);
    expect([await shown(), await pending()]).toMatchObject([{ state: 'stopped', count: 1_000 }, 1_000]);
    await world.call('eventEndpoint.save', { endpointId: endpoint.id, active: true }, as);
    await ask();
    expect((await world.call('eventEndpoint.remove', { endpointId: endpoint.id }, as)).status).toBe(200);
    expect(await eventRedelivery.run(services)).toBe(0);
    expect(
      (await world.call('eventDelivery.redeliver', { ...range, endpointId: endpoint.id }, as)).status,
    ).toBe(404);
  });
});

/** Queues an event of each of so many members, which wait for no other. */
async function queueForMembers({ db, service }: PeopleWorld, endpointId: number, count: number) {
  const { events, eventDeliveries } = db.tables;
  const nowMs = service.services.now();
  const type = 'membership.added';
  for (let position = 1_000; position < 1_000 + count; position += 1) {
    await db.insert(events, {
      publicId: `evt_${position}`,
      position,
      type,
      version: 1,
      atMs: nowMs,
      subjectKind: 'member',
      subjectId: position,
      subjectVersion: 1,
      accountId: 1,
      actorKind: 'system',
      actorId: null,
      data: { memberId: position, accountId: 1, roleType: 5, source: 'invitation' },
      audience: { accounts: [], partners: [] },
    });
    await db.insert(eventDeliveries, {
      endpointId,
      position,
      eventId: `evt_${position}`,
      type,
      subject: `member:${position}`,
      state: 'pending',
      attempts: [],
      queuedAtMs: nowMs,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
    });
  }
}

function isSignedWith(verify: (secret: string) => unknown, secret: string): boolean {
  try {
    return verify(secret) !== undefined;
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
