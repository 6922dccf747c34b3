import { createApp } from '@gatehouse/api-main/app';
import { readOutbox, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { deliverAll } from '../test/deliver-all.js';
import { type EventReceiver, startEventReceiver } from '../test/event-receiver.js';
import { CLOSED_ENDPOINT } from '../test/insert-test-endpoint.js';
import { type PeopleWorld, startPeopleWorld, TRANSPORTS } from '../test/people-world.js';
import { endpointResealing } from './endpoint-secrets.js';

const HOUR_MS = 3_600_000;

const endpoint = z.looseObject({ id: z.int(), state: z.string(), fault: z.string().nullable() });

const saved = z.object({
  data: endpoint,
  secret: z.string().optional(),
  ping: z.object({ httpStatus: z.int().nullable(), ms: z.int(), verdict: z.string() }).nullable(),
});

interface As {
  readonly token: string;
  readonly accountId: number;
}

async function start() {
  const world = await startPeopleWorld();
  const { id, owner } = await world.account('Kiln');
  return { world, id, owner, as: { token: owner.token, accountId: id } };
}

async function save(world: PeopleWorld, as: As, input: object) {
  const response = await world.service.send('/v1/eventEndpoint/save', { ...as, body: input });
  expect(response.status).toBe(200);
  const { data, ...rest } = saved.parse(await response.json());
  return { ...data, ...rest };
}

const subscribe = (world: PeopleWorld, as: As, { url }: Pick<EventReceiver, 'url'>, more: object = {}) =>
  save(world, as, { url, types: ['account.*'], ...more });

async function rename(world: PeopleWorld, as: As, ...names: string[]): Promise<void> {
  for (const name of names) expect((await world.call('account.rename', { name }, as)).status).toBe(200);
}

const outcome = async (world: PeopleWorld, as: Partial<As>, name: string, input: object) => {
  const { status, code } = await world.call(name, input, as);
  return [status, code];
};

const namesOf = ({ received }: EventReceiver) => received.map(({ event }) => event.data['name']);

describe('an event endpoint', () => {
  it('gets no event before it has answered a ping', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const silent = await startEventReceiver();
    const { url } = silent;
    await silent[Symbol.asyncDispose]();
    const { id, state, ping } = await save(world, as, { url, types: ['account.*'] });
    expect([state, ping]).toEqual([
      'pending',
      { httpStatus: null, ms: expect.any(Number), verdict: 'connect_failed' },
    ]);
    await rename(world, as, 'Early');
    await deliverAll(world.service.services);
    const test = async () =>
      (await world.call('eventEndpoint.test', { endpointId: id }, as)).data as { verdict: string };
    expect((await test()).verdict).toBe('connect_failed');
    const moved = await save(world, as, { endpointId: id, url: receiver.url, types: ['account.*'] });
    expect([moved.state, moved.ping?.verdict]).toEqual(['live', 'accepted']);
    await deliverAll(world.service.services);
    // The events since it was added waited for it.
    expect(namesOf(receiver)).toEqual(['Early']);
    expect(receiver.pings.map(({ event }) => [event.type, event.subject, event.data])).toEqual([
      ['endpoint.ping', `endpoint:${id}`, { endpointId: id, name: '' }],
    ]);
  });

  it('stays pending, and its secret unseen, when the caller loses access while it is pinged', async () => {
    const { world, as } = await start();
    await using _ = world;
    let leave: () => Promise<unknown> = () => Promise.resolve();
    await using receiver = await startEventReceiver(undefined, () => leave());
    leave = () => world.service.send('/auth/logout', { ...as, method: 'POST' });
    const body = { url: receiver.url, types: ['account.*'] };
    const response = await world.service.send('/v1/eventEndpoint/save', { ...as, body });
    expect([response.status, (await response.text()).includes('whsec_')]).toEqual([401, false]);
    expect(receiver.pings).toHaveLength(1);
    const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
    expect(row).toMatchObject({ url: receiver.url, state: 'pending' });
  });

  it('gets the events of its types in its account, signed, once', async () => {
    const { world, id, owner, as } = await start();
    await using _ = world;
    const elsewhere = await world.account('Elsewhere');
    await using receiver = await startEventReceiver();
    const { secret = '' } = await subscribe(world, as, receiver);
    await rename(world, as, 'A', 'B');
    await rename(world, { token: elsewhere.owner.token, accountId: elsewhere.id }, 'Not here');
    await world.call('invitation.create', { email: 'guest@many.test', roleType: 5 }, as);
    await deliverAll(world.service.services);
    await deliverAll(world.other.services);
    expect(
      receiver.received.map(({ event }) => [event.type, event.subject, event.actor, event.data]),
    ).toEqual(
      ['A', 'B'].map((name) => [
        'account.updated',
        `account:${id}`,
        { kind: 'member', id: owner.id },
        { accountId: id, name, changed: ['name'] },
      ]),
    );
    const versions = receiver.received.map(({ event }) => event.subjectVersion);
    expect(versions).toEqual([1, 2]);
    for (const { event, headers, verify } of receiver.received) {
      expect(verify(secret)).toMatchObject(event);
      expect(headers['webhook-id']).toBe(event.id);
      expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow(
        'No matching signature found',
      );
    }
    const feed = z
      .object({ data: z.array(z.looseObject({ id: z.string() })) })
      .parse(
        await (await world.service.send('/v1/event/list', { ...as, body: { types: ['account.*'] } })).json(),
      );
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual(feed.data);
  });

  it('shows its secret once, and signs with two secrets during a rotation', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id, secret: first = '' } = await subscribe(world, as, receiver);
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await subscribe(world, as, receiver, { endpointId: id, description: 'Ledger' });
    expect(again).toMatchObject({ id, description: 'Ledger', ping: null });
    expect(again).not.toHaveProperty('secret');
    const listed = JSON.stringify((await world.call('eventEndpoint.list', {}, as)).data);
    expect(listed).toContain(`"secretBeginning":"${first.slice(0, 12)}"`);
    expect(listed).not.toContain(first.slice(0, 20));
    const stored = JSON.stringify(await world.db.select().from(world.db.tables.eventEndpoints));
    expect(stored).not.toContain(first.slice(6, 20));
    const rotate = async (overlapHours?: number) => {
      const input = { endpointId: id, ...(overlapHours === undefined ? {} : { overlapHours }) };
      const response = await world.service.send('/v1/eventEndpoint/rotateSecret', { ...as, body: input });
      return z.object({ secret: z.string() }).parse(await response.json()).secret;
    };
    const signedBy = async (secrets: readonly string[]) => {
      await rename(world, as, `Name ${receiver.received.length}`);
      await deliverAll(world.service.services);
      const last = receiver.received.at(-1);
      return secrets.map((secret) => {
        try {
          return last?.verify(secret) !== undefined;
        } catch {
          return false;
        }
      });
    };
    const second = await rotate();
    expect(await signedBy([first, second])).toEqual([true, true]);
    const [newest] = receiver.received.at(-1)?.headers['webhook-signature']?.split(' ') ?? [];
    const third = await rotate(1);
    expect(await signedBy([first, second, third])).toEqual([false, true, true]);
    expect(receiver.received.at(-1)?.headers['webhook-signature']).not.toContain(newest);
    const fourth = await rotate(0);
    expect(await signedBy([second, third, fourth])).toEqual([false, false, true]);
    const fifth = await rotate();
    expect(await signedBy([fourth, fifth])).toEqual([true, true]);
    world.wait(25 * HOUR_MS);
    const row = (await world.call('eventEndpoint.list', {}, as)).data as { previousSecretUntil: unknown }[];
    expect(row.map(({ previousSecretUntil }) => previousSecretUntil)).toEqual([null]);
  });

  it('has its secrets encrypted with the current key once the job has run', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id, secret = '' } = await subscribe(world, as, receiver);
    await world.call('eventEndpoint.rotateSecret', { endpointId: id }, as);
    const { DATA_ENCRYPTION_KEY: previous } = world.service.services.config;
    const key = Buffer.alloc(32, 7).toString('base64');
    const env = { DATA_ENCRYPTION_KEY: key, DATA_ENCRYPTION_KEY_PREVIOUS: previous };
    await using node = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'web',
      env,
      database: world.db,
    });
    expect(await endpointResealing.run(node.services)).toBe(1);
    expect(await endpointResealing.run(node.services)).toBe(0);
    const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
    const { currentPrefix } = node.services.cipher;
    expect([row?.secret, row?.previousSecret].map((sealed) => sealed?.startsWith(currentPrefix))).toEqual([
      true,
      true,
    ]);
    await rename(world, as, 'Sealed anew');
    await deliverAll(node.services);
    expect(receiver.received[0]?.verify(secret)).toBeDefined();
  });

  it('has a readable secret encrypted again, even after 500 secrets that no key can decrypt', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { eventEndpoints } = world.db.tables;
    const { id: first } = await subscribe(world, as, receiver);
    const [row] = await world.db.select().from(eventEndpoints);
    const { id: _id, ...stored } = row ?? expect.fail('it is not stored');
    const unreadable = { ...stored, scope: 'account:0', secret: 'sealed with a lost key' };
    await world.db.insertMany(eventEndpoints, Array<typeof unreadable>(500).fill(unreadable));
    const { id: last } = await subscribe(world, as, receiver);
    const lost = { table: 'event_endpoints', column: 'secret', id: last };
    await changeColumn(world.db, lost, 'sealed with a lost key');
    await world.call('eventEndpoint.rotateSecret', { endpointId: last }, as);
    const { DATA_ENCRYPTION_KEY: previous } = world.service.services.config;
    const key = Buffer.alloc(32, 7).toString('base64');
    const env = { DATA_ENCRYPTION_KEY: key, DATA_ENCRYPTION_KEY_PREVIOUS: previous };
    await using node = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'web',
      env,
      database: world.db,
    });
    expect(await endpointResealing.run(node.services)).toBe(2);
    const rows = await world.db.select().from(eventEndpoints);
    const { currentPrefix } = node.services.cipher;
    const sealedAnew = rows.filter(({ secret }) => secret.startsWith(currentPrefix));
    expect(sealedAnew.map(({ id, previousSecret }) => [id, previousSecret])).toEqual([
      [first, null],
      [last, null],
    ]);
  });

  it('is refused when the account has ten, even when several are added concurrently', async () => {
    const { world, as } = await start();
    await using _ = world;
    const other = await world.account();
    await using receiver = await startEventReceiver();
    const limit = world.service.services.limits;
    const make = async (on = world.service) => {
      await limit.remove('pings:');
      const response = await on.send('/v1/eventEndpoint/save', {
        ...as,
        body: { url: receiver.url, types: ['account.*'] },
      });
      return response.status;
    };
    for (let at = 0; at < 8; at += 1) expect(await make()).toBe(200);
    const raced = await Promise.all([make(), make(world.other), make(), make(world.other)]);
    expect(raced.toSorted((one, next) => one - next)).toEqual([200, 200, 409, 409]);
    await limit.remove('pings:');
    expect(
      await outcome(world, as, 'eventEndpoint.save', { url: receiver.url, types: ['account.*'] }),
    ).toEqual([409, 'limit_reached']);
    const elsewhere = { token: other.owner.token, accountId: other.id };
    await subscribe(world, elsewhere, receiver);
  });

  it('is pinged at most ten times a minute', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id } = await subscribe(world, as, receiver);
    const test = () => outcome(world, as, 'eventEndpoint.test', { endpointId: id });
    for (let at = 1; at < 10; at += 1) expect(await test()).toEqual([200, undefined]);
    expect(await test()).toEqual([429, 'rate_limited']);
    expect(receiver.pings).toHaveLength(10);
  });

  it.each([
    'https://user:secret@hooks.example/',
    'https://127.0.0.1:22/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]:8080/',
    'ftp://hooks.example/',
    'https://not-a-name.invalid/',
    'nonsense',
  ])('is refused at %s', async (url) => {
    const { world, as } = await start();
    await using _ = world;
    const refusalOf = (more: object) =>
      outcome(world, as, 'eventEndpoint.save', { types: ['account.*'], url, ...more });
    expect(await refusalOf({})).toEqual([400, 'url_not_allowed']);
    await using receiver = await startEventReceiver();
    const { id } = await subscribe(world, as, receiver);
    expect(await refusalOf({ endpointId: id })).toEqual([400, 'url_not_allowed']);
    const rows = await world.db.select().from(world.db.tables.eventEndpoints);
    expect(rows.map((row) => row.url)).toEqual([receiver.url]);
  });

  it('is managed by the owners of its account, and hidden from those of others', async () => {
    const { world, id, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id: endpointId } = await subscribe(world, as, receiver);
    const other = await world.account();
    const elsewhere = { token: other.owner.token, accountId: other.id };
    const manager = await world.member({ memberships: { [id]: 2 } });
    const accountManager = await world.member({ memberships: { [id]: 6 } });
    const calls: [string, object][] = [
      ['eventEndpoint.save', { endpointId, url: receiver.url, types: ['member.*'] }],
      ['eventEndpoint.remove', { endpointId }],
      ['eventEndpoint.rotateSecret', { endpointId }],
      ['eventEndpoint.test', { endpointId }],
      ['eventEndpoint.resume', { endpointId, from: 'now' }],
      ['eventDelivery.redeliver', { endpointId, from: '2026-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' }],
    ];
    for (const [name, input] of calls) {
      expect([name, await outcome(world, elsewhere, name, input)]).toEqual([name, [404, 'not_found']]);
      for (const { token } of [manager, accountManager])
        expect([name, await outcome(world, { token, accountId: id }, name, input)]).toEqual([
          name,
          [403, 'permission_denied'],
        ]);
    }
    expect((await world.call('eventEndpoint.list', {}, elsewhere)).data).toEqual([]);
    const role = { name: 'Hooks', roleType: 2, permissions: ['account.read', 'event.manage'] };
    expect(await outcome(world, as, 'role.save', role)).toEqual([400, 'invalid_input']);
  });

  it('stores the level and the member of the session that saved it last', async () => {
    const { world, id, owner, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id: endpointId } = await subscribe(world, as, receiver);
    const stored = async () => {
      const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
      return row;
    };
    expect(await stored()).toMatchObject({ level: 1, savedById: owner.id });
    const next = await world.member({ memberships: { [id]: 1 } });
    await changeColumn(world.db, { table: 'sessions', column: 'level', by: 'member_id', id: next.id }, 2);
    await subscribe(world, { token: next.token, accountId: id }, receiver, { endpointId });
    expect(await stored()).toMatchObject({ level: 2, savedById: next.id });
    const lines = await world.db.select().from(world.db.tables.auditLog);
    expect(lines.filter(({ action }) => action === 'endpoint.changed')).toHaveLength(1);
  });

  it('shows the versions of its types, and refuses unknown versions and types', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const save = async (versions: object) => {
      const input = { url: CLOSED_ENDPOINT, types: ['account.*'], versions };
      const { status, code, data } = await world.call('eventEndpoint.save', input, as);
      return [status, code, (data as { versions?: unknown } | undefined)?.versions];
    };
    const types = ['created', 'updated', 'removed', 'ssoRequired', 'domainVerified', 'domainLapsed'];
    const versions = Object.fromEntries(types.map((type) => [`account.${type}`, 1]));
    expect(await save({ 'account.updated': 1 })).toEqual([200, undefined, versions]);
    for (const wrong of [{ 'account.updated': 2 }, { 'account.updated': '1' }, { 'account.gone': 1 }])
      expect(await save(wrong)).toEqual([400, 'invalid_input', undefined]);
  });

  it('keeps the fields that a change leaves out, and requires an address and types when it is created', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const settings = { url: receiver.url, types: ['member.*'], description: 'Billing', active: true };
    const { id, ...made } = await save(world, as, settings);
    expect(made).toMatchObject(settings);
    const change = (changes: object) => save(world, as, { endpointId: id, ...changes });
    expect(await change({ active: false })).toMatchObject({ ...settings, active: false });
    expect(await change({ types: ['account.*'] })).toMatchObject({
      ...settings,
      types: ['account.*'],
      active: false,
    });
    expect(await change({ description: '', active: true })).toMatchObject({
      ...settings,
      types: ['account.*'],
      description: '',
      state: 'live',
      ping: null,
    });
    const lines = await world.db.select().from(world.db.tables.auditLog);
    expect(lines.filter(({ action }) => action === 'endpoint.changed').map(({ after }) => after)).toEqual([
      { active: false },
      { types: ['account.*'] },
      { description: '', active: true },
    ]);
    for (const incomplete of [{}, { url: receiver.url }, { types: ['member.*'] }])
      expect(await outcome(world, as, 'eventEndpoint.save', incomplete)).toEqual([400, 'invalid_input']);
  });

  it('starts over at a new address, with new mails about its failures', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id } = await subscribe(world, as, receiver);
    await changeColumn(world.db, { table: 'event_endpoints', column: 'notified_at_ms', id }, 1);
    await save(world, as, { endpointId: id, url: `${receiver.url}/moved`, types: ['account.*'] });
    const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
    expect(row).toMatchObject({ url: `${receiver.url}/moved`, notifiedAtMs: null });
  });

  it('is removed with what waits for it', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver();
    const { id } = await subscribe(world, as, receiver);
    await rename(world, as, 'Never');
    expect(await outcome(world, as, 'eventEndpoint.remove', { endpointId: id })).toEqual([200, undefined]);
    await deliverAll(world.service.services);
    expect(receiver.received).toEqual([]);
    expect(await outcome(world, as, 'eventEndpoint.remove', { endpointId: id })).toEqual([404, 'not_found']);
  });

  it.each(TRANSPORTS)(
    'has every change in the audit log, without queries or secrets, over %s',
    async (transport) => {
      const { world, as } = await start();
      await using _ = world;
      await using receiver = await startEventReceiver();
      const url = `${receiver.url}?token=hidden`;
      const call = (name: string, input: object) => world.call(name, input, as, { transport });
      const made = endpoint.parse((await call('eventEndpoint.save', { url, types: ['account.*'] })).data);
      const endpointId = made.id;
      await call('eventEndpoint.rotateSecret', { endpointId });
      await call('eventEndpoint.save', { endpointId, url, types: ['member.*'] });
      await call('eventEndpoint.save', { endpointId, url, types: ['member.*'] });
      await call('eventEndpoint.resume', { endpointId, from: 'now' });
      await call('eventEndpoint.remove', { endpointId });
      const lines = (await world.db.select().from(world.db.tables.auditLog)).filter(({ action }) =>
        action.startsWith('endpoint.'),
      );
      expect(lines.map(({ action, accountId, subjectId }) => [action, accountId, subjectId])).toEqual(
        ['made', 'secret-rotated', 'changed', 'resumed', 'removed'].map((what) => [
          `endpoint.${what}`,
          as.accountId,
          String(endpointId),
        ]),
      );
      expect(JSON.stringify(lines)).not.toMatch(/hidden|whsec/);
    },
  );
});

describe('an event endpoint that fails', () => {
  it('is disabled by a 410, notifies its owners, and gets the same event again when it is resumed', async () => {
    const { world, id: accountId, owner, as } = await start();
    await using _ = world;
    let isGone = true;
    await using receiver = await startEventReceiver(() => ({ status: isGone ? 410 : 200 }));
    const { id } = await subscribe(world, as, receiver, { types: ['account.*', 'endpoint.*'] });
    await rename(world, as, 'A');
    await deliverAll(world.service.services);
    await rename(world, as, 'B');
    await deliverAll(world.service.services);
    expect(namesOf(receiver)).toEqual(['A']);
    const listed = (await world.call('eventEndpoint.list', {}, as)).data;
    expect(listed).toMatchObject([{ id, state: 'disabled', fault: 'gone' }]);
    const mails = (await readOutbox(world.service)).filter(({ kind }) => kind === 'endpointFailing');
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
    isGone = false;
    expect(
      await outcome(world, as, 'eventEndpoint.resume', { endpointId: id, from: 'lastDelivered' }),
    ).toEqual([200, undefined]);
    await deliverAll(world.service.services);
    // Events of different subjects come in any order.
    expect(namesOf(receiver).filter((name) => name !== '')).toEqual(['A', 'A', 'B']);
    const disabled = receiver.received.filter(({ event }) => event.type === 'endpoint.disabled');
    expect(disabled.map(({ event }) => [event.subject, event.accountId, event.actor])).toEqual([
      [`endpoint:${id}`, accountId, { kind: 'system' }],
    ]);
    const [first, second] = receiver.received;
    expect(first?.body).toBe(second?.body);
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
  });

  it('skips the events of the outage if its owner says so', async () => {
    const { world, as } = await start();
    await using _ = world;
    let isGone = true;
    await using receiver = await startEventReceiver(() => ({ status: isGone ? 410 : 200 }));
    const { id } = await subscribe(world, as, receiver);
    await rename(world, as, 'A', 'B');
    await deliverAll(world.service.services);
    isGone = false;
    await world.call('eventEndpoint.resume', { endpointId: id, from: 'now' }, as);
    await rename(world, as, 'C');
    await deliverAll(world.service.services);
    expect(namesOf(receiver)).toEqual(['A', 'C']);
    const states = (await world.call('eventDelivery.list', {}, as)).data as { state: string }[];
    expect(states.map(({ state }) => state)).toEqual(['delivered', 'failed', 'failed']);
  });

  it('notifies its owners after a day, and is disabled after three', async () => {
    const { world, as } = await start();
    await using _ = world;
    await using receiver = await startEventReceiver(() => ({ status: 500 }));
    const { id } = await subscribe(world, as, receiver);
    const fails = async (name: string) => {
      await rename(world, as, name);
      await deliverAll(world.service.services);
    };
    const mails = async () =>
      (await readOutbox(world.service)).filter(({ kind }) => kind === 'endpointFailing').length;
    await fails('A');
    for (let hour = 0; hour < 80; hour += 4) {
      const sent = await mails();
      expect([hour, sent]).toEqual([hour, hour < 24 ? 0 : 1]);
      world.wait(4 * HOUR_MS);
      await fails(`Hour ${hour}`);
      const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
      if (row?.state === 'disabled') break;
    }
    const [row] = await world.db.select().from(world.db.tables.eventEndpoints);
    expect(row).toMatchObject({ id, state: 'disabled', fault: 'failing' });
    const lastedMs = (row?.updatedAtMs ?? 0) - (row?.failingSinceMs ?? 0);
    expect(lastedMs).toBeGreaterThanOrEqual(72 * HOUR_MS);
    expect(lastedMs).toBeLessThan(77 * HOUR_MS);
    expect(await mails()).toBe(2);
  });
});
