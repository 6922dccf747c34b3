import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { inOrderOfVersions, listEvents, removeOldEvents, sequenceEvents } from '@gatehouse/db/queries/events';
import { listUntoldExpiries } from '@gatehouse/db/queries/invitations';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { invitationExpiry } from '../account/invitation-expiry.js';
import { takeOver } from '../authentication/take-over.js';
import { auditedActions } from '../test/audited-actions.js';
import { changeColumn } from '../test/change-column.js';
import { insertTestInvitation } from '../test/invitations.js';
import { type PeopleWorld, startPeopleWorld, TRANSPORTS } from '../test/people-world.js';
import type { EventType } from './event.js';
import { EVENT_TYPES } from './event-types.js';
import { EVENTS_OF_ACTS } from './events-of-acts.js';
import { recordSubscription } from './record-events.js';

const page = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      subject: z.string(),
      subjectVersion: z.int(),
      accountId: z.int().nullable(),
      actor: z.object({ kind: z.string(), id: z.int().optional() }),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  nextCursor: z.string(),
});

interface Reader {
  readonly token: string;
  readonly accountId: number;
}

async function read(world: PeopleWorld, as: Reader, input: object = {}) {
  while ((await sequenceEvents(world.db, randomUUID(), 200)) > 0);
  const response = await world.service.send('/v1/event/list', { ...as, body: input });
  const body: unknown = await response.json();
  expect([response.status, body]).toEqual([200, expect.anything()]);
  return page.parse(body);
}

async function refusal(world: PeopleWorld, as: Partial<Reader>, input: object): Promise<unknown> {
  const { status, code } = await world.call('event.list', input, as);
  return [status, code];
}

describe('the events of an account', () => {
  it('report every change there in order to their reader, and none elsewhere', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account('Kiln');
    const elsewhere = await world.account('Elsewhere');
    const as = { token: owner.token, accountId: id };
    const member = await world.member({ memberships: { [id]: 5 } });
    await world.call('account.rename', { name: 'Forge' }, as);
    await world.call(
      'account.rename',
      { name: 'Not here' },
      { token: elsewhere.owner.token, accountId: elsewhere.id },
    );
    await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, as);
    await world.call('profile.update', { firstName: 'Nova' }, member);
    await world.call('membership.remove', { memberId: member.id }, as);
    const { data } = await read(world, as);
    expect(data.map(({ type, subject, actor }) => [type, subject, actor])).toEqual([
      ['account.updated', `account:${id}`, { kind: 'member', id: owner.id }],
      ['membership.roleChanged', `member:${member.id}`, { kind: 'member', id: owner.id }],
      ['member.updated', `member:${member.id}`, { kind: 'member', id: member.id }],
      ['membership.removed', `member:${member.id}`, { kind: 'member', id: owner.id }],
    ]);
    expect(data[0]?.data).toEqual({ accountId: id, name: 'Forge', changed: ['name'] });
    expect(data[1]?.data).toMatchObject({ roleType: 3, previousRoleType: 5, source: 'owner' });
    expect(data[2]?.data).toMatchObject({ firstName: 'Nova', changed: ['firstName'] });
    const versions = data.filter(({ subject }) => subject === `member:${member.id}`);
    expect(versions.map(({ subjectVersion }) => subjectVersion)).toEqual([1, 2, 3]);
    for (const event of data) EVENT_TYPES[event.type as EventType].data.parse(event.data);
  });

  it('name an imported member by the same ids of other systems as member.detail does', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const member = await world.member({ memberships: { [id]: 5 } });
    const detail = () => world.call('member.detail', { userId: member.id }, as);
    expect((await detail()).data).toMatchObject({ foreignIds: [] });
    const known = ['auth0|5f7c', 'Zoë'].map((foreignId) => ({ source: 'auth0', foreignId }));
    for (const one of known)
      await world.db.insert(world.db.tables.foreignIds, {
        ...one,
        kind: 'member',
        memberId: member.id,
        createdAtMs: 1,
      });
    const foreignIds = known.map(({ source, foreignId }) => ({ source, id: foreignId }));
    expect((await detail()).data).toMatchObject({ foreignIds });
    await world.call('profile.update', { firstName: 'Nova' }, member);
    await world.call('profile.update', { firstName: 'Nora' }, owner);
    const { data } = await read(world, as, { types: ['member.*'] });
    expect(data.map((event) => event.data['foreignIds'])).toEqual([foreignIds, undefined]);
    for (const event of data) EVENT_TYPES[event.type as EventType].data.parse(event.data);
  });

  it('report an invitation from its creation to the new membership', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const guest = await world.member();
    await world.call('invitation.create', { email: guest.email, roleType: 3 }, as);
    const mine = z
      .array(z.object({ id: z.int() }))
      .parse((await world.call('invitation.listMine', {}, guest)).data);
    const invitationId = mine[0]?.id ?? 0;
    await world.call('invitation.accept', { invitationId }, guest);
    const { data } = await read(world, as, { types: ['invitation.*', 'membership.added'] });
    expect(data.map(({ type, data: of }) => [type, of])).toEqual([
      ['invitation.created', { invitationId, roleType: 3, email: guest.email }],
      ['invitation.accepted', { invitationId, roleType: 3, email: guest.email }],
      ['membership.added', { memberId: guest.id, accountId: id, roleType: 3, source: 'invitation' }],
    ]);
  });

  it('continue from the cursor, each event once', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const names = Array.from({ length: 7 }, (_, at) => `Name ${at}`);
    for (const name of names) await world.call('account.rename', { name }, as);
    const seen: unknown[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 4; pages += 1) {
      const { data, nextCursor } = await read(world, as, { limit: 3, ...(after && { after }) });
      seen.push(...data.map(({ data: of }) => of['name']));
      after = nextCursor;
    }
    expect(seen).toEqual(names);
    expect((await read(world, as, { after })).data).toEqual([]);
    await world.call('account.rename', { name: 'Last' }, as);
    expect((await read(world, as, { after })).data.map(({ data: of }) => of['name'])).toEqual(['Last']);
  });

  it('can be waited for when there is no new one', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const { nextCursor } = await read(world, as);
    const waiting = world.service.send('/v1/event/list', { ...as, body: { after: nextCursor, wait: 20 } });
    await world.call('account.rename', { name: 'Heard' }, as);
    await sequenceEvents(world.db, 'a turn', 10);
    const { data } = page.parse(await (await waiting).json());
    expect(data.map(({ type }) => type)).toEqual(['account.updated']);
  });

  it('refuse an altered cursor, one of another account, and one of events that are gone', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const other = await world.account();
    const as = { token: owner.token, accountId: id };
    for (const name of ['A', 'B', 'C']) await world.call('account.rename', { name }, as);
    const { nextCursor: first } = await read(world, as, { limit: 1 });
    const theirs = { token: other.owner.token, accountId: other.id };
    expect(await refusal(world, theirs, { after: first })).toEqual([400, 'invalid_cursor']);
    const altered = first.slice(0, -2) + (first.endsWith('AA') ? 'BB' : 'AA');
    expect(await refusal(world, as, { after: altered })).toEqual([400, 'invalid_cursor']);
    expect(await refusal(world, as, { after: 'x' })).toEqual([400, 'invalid_cursor']);
    expect(await refusal(world, as, { wait: 26 })).toEqual([400, 'invalid_input']);
    expect(await refusal(world, as, { types: ['member.unheard'] })).toEqual([400, 'invalid_input']);
    expect(await removeOldEvents(world.db, { beforeMs: Date.now() + 60_000, limit: 2 })).toBe(2);
    expect(await refusal(world, as, { after: first })).toEqual([410, 'cursor_expired']);
    expect((await read(world, as)).data.map(({ data: of }) => of['name'])).toEqual(['C']);
  });

  it.each(TRANSPORTS)('are refused without event.read over %s', async (transport) => {
    await using world = await startPeopleWorld();
    const { id } = await world.account();
    const outcomes: unknown[] = [];
    for (const role of [0, 1, 2, 3, 4, 5, 6]) {
      const { token } = await world.member({ memberships: { [id]: role } });
      outcomes.push((await world.call('event.list', {}, { token, accountId: id }, { transport })).status);
    }
    expect(outcomes).toEqual([200, 200, 200, 403, 403, 403, 403]);
  });
});

describe('GET /v1/events', () => {
  it('reads the same feed as event.list, with types and a wait', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    await world.call('account.rename', { name: 'Kiln' }, as);
    while ((await sequenceEvents(world.db, randomUUID(), 100)) > 0);
    const get = async (query: string) =>
      page.parse(await (await world.service.send(`/v1/events?${query}`, as)).json());
    const { data, nextCursor } = await get('types=account.*&limit=5&wait=1');
    expect(data.map(({ type }) => type)).toEqual(['account.updated']);
    expect((await get(`after=${nextCursor}&types=account.*&types=member.*`)).data).toEqual([]);
  });
});

/** What the events of an account say, by type, since the beginning. */
async function told(world: PeopleWorld, as: Reader, types: readonly string[]): Promise<unknown[]> {
  const { data } = await read(world, as, { types });
  return data.map(({ type, data: of }) => [type, of]);
}

describe('the events of an account report', () => {
  it('members whom a takeover holds, and members who are readmitted', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const member = await world.member({ memberships: { [id]: 3 } });
    await changeColumn(world.db, { table: 'members', column: 'owner_proven_at_ms', id: owner.id }, null);
    await changeAccess(world.db, { members: [owner.id] }, async (tx) => {
      const lockedAccounts = await lockPlantedAccounts(tx, owner.id);
      const ctx = { services: world.service.services, call: undefined as never };
      await takeOver(tx, ctx, {
        memberId: owner.id,
        password: 'x',
        hasPassword: false,
        lockedAccounts,
        nowMs: Date.now(),
      });
    });
    const { token } = await world.member({ memberships: { [id]: 1 } });
    const reader = { token, accountId: id };
    expect(await told(world, reader, ['membership.*'])).toEqual([
      ['membership.removed', { memberId: member.id, accountId: id, roleType: 3, source: 'takeover' }],
    ]);
    expect(as.accountId).toBe(id);
  });

  it('the new role of a member who inherits an account, and members whose custom role changes its rank', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const role = { name: 'Editor', roleType: 4, permissions: ['account.read'] };
    const saved = z.object({ id: z.int() }).parse((await world.call('role.save', role, as)).data);
    const member = await world.member({ memberships: { [id]: 5 } });
    await world.call('membership.changeRole', { memberId: member.id, customRoleId: saved.id }, as);
    await world.call('role.save', { ...role, roleType: 3, customRoleId: saved.id }, as);
    await changeColumn(world.db, { table: 'members', column: 'owner_proven_at_ms', id: member.id }, 1);
    expect((await world.call('account.transferOwnership', { memberId: member.id }, as)).status).toBe(200);
    const changes = await told(world, as, ['membership.roleChanged']);
    expect(changes).toMatchObject([
      ['membership.roleChanged', { previousRoleType: 5, roleType: 4 }],
      ['membership.roleChanged', { previousRoleType: 4, roleType: 3 }],
      ['membership.roleChanged', { previousRoleType: 3, roleType: 1 }],
    ]);
  });

  it('nobody outside the account, neither a person whose membership gives no access nor a deleted member', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const member = await world.member({ memberships: { [id]: 5 } });
    const held = await world.member({ memberships: { [id]: 5 } });
    await changeColumn(world.db, { table: 'memberships', column: 'active', by: 'member_id', id: held.id }, 0);
    await world.call('profile.update', { firstName: 'Unheard' }, held);
    expect((await world.call('member.deleteOwn', {}, member)).status).toBe(200);
    expect(await told(world, as, ['member.*'])).toMatchObject([['member.removed', { memberId: member.id }]]);
  });

  it('a confirmed address only once it is confirmed', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const member = await world.member({ isConfirmed: false, memberships: { [id]: 5 } });
    await world.service.send('/forgotPassword', { body: { email: member.email } });
    const mail = (await readOutbox(world.service)).find(({ to }) => to === member.email);
    const token = /[?#&]token=([^\s&"]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const password = 'Copper-Meadow-17';
    expect((await world.call('password.reset', { token, password }, {})).status).toBe(200);
    expect(await told(world, as, ['member.confirmed'])).toMatchObject([
      ['member.confirmed', { memberId: member.id, email: member.email }],
    ]);
  });

  it('an invitation that expires without an answer once, and again after it was resent', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const invite = async (email: string) => {
      const { data } = await world.call('invitation.create', { email, roleType: 3 }, as);
      return z.object({ id: z.int() }).parse(data).id;
    };
    const email = 'late@many.test';
    const invitationId = await invite(email);
    const revoked = await invite('revoked@many.test');
    await world.call('invitation.revoke', { invitationId: revoked }, as);
    const expire = () =>
      Promise.all([world.service, world.other].map(({ services }) => invitationExpiry.run(services)));
    const expiries = () => told(world, as, ['invitation.expired']);
    await expire();
    expect(await expiries()).toEqual([]);
    const pass = (column: string) =>
      changeColumn(world.db, { table: 'invitations', column, by: 'account_id', id }, 1);
    for (const column of ['expires_at_ms', 'untold_expiry_ms']) await pass(column);
    await expire();
    await expire();
    const expired = ['invitation.expired', { invitationId, roleType: 3, email }];
    expect(await expiries()).toEqual([expired]);
    const { data } = await read(world, as, { types: ['invitation.expired'] });
    expect(data[0]?.actor).toEqual({ kind: 'system' });
    EVENT_TYPES['invitation.expired'].data.parse(data[0]?.data);
    expect(await listUntoldExpiries(world.db, { nowMs: 1, limit: 10 })).toEqual([]);
    world.wait(600_000);
    expect((await world.call('invitation.resend', { invitationId }, as)).status).toBe(200);
    await expire();
    expect(await expiries()).toEqual([expired]);
    await pass('untold_expiry_ms');
    await expire();
    expect(await expiries()).toEqual([expired, expired]);
  });

  it('every state of a subscription, in the form of its schema', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const states = ['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired'] as const;
    let from: (typeof states)[number] = 'expired';
    for (const to of states) {
      await changeColumn(world.db, { table: 'subscriptions', column: 'state', by: 'account_id', id }, to);
      const change = { accountId: id, from, to, nowMs: Date.now() };
      await world.db.transaction((tx) => recordSubscription(tx, change));
      await world.db.transaction((tx) => recordSubscription(tx, { ...change, from: to }));
      from = to;
    }
    const { data } = await read(world, as, { types: ['subscription.*'] });
    expect(data.map(({ data: of }) => of['status'])).toEqual(states);
    for (const event of data) EVENT_TYPES[event.type as EventType].data.parse(event.data);
  });
});

it('twelve invitations of one account can be revoked at the same time', async () => {
  await using world = await startPeopleWorld();
  const { id, owner } = await world.account();
  const as = { token: owner.token, accountId: id };
  const invitationIds: number[] = [];
  for (let at = 0; at < 12; at += 1)
    invitationIds.push(await insertTestInvitation(world.db, { accountId: id, inviterId: owner.id }));
  const answers = await Promise.all(
    invitationIds.map((invitationId, at) =>
      world.call('invitation.revoke', { invitationId }, as, {
        on: at % 2 === 0 ? world.service : world.other,
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(invitationIds.map(() => 200));
  const { data } = await read(world, as, { types: ['invitation.revoked'] });
  expect(data.map(({ subjectVersion }) => subjectVersion)).toEqual(invitationIds.map((_, at) => at + 1));
});

it('a custom role without event.read does not let its holders read events', async () => {
  await using world = await startPeopleWorld();
  const { id, owner } = await world.account();
  const as = { token: owner.token, accountId: id };
  const permissions = ['account.read', 'member.list', 'member.manage', 'conversation.read', 'subject.remove'];
  const role = {
    name: 'Deputy',
    roleType: 2,
    permissions: [...permissions, 'social.connect', 'knowledge.analyze'],
  };
  const saved = z.object({ id: z.int() }).parse((await world.call('role.save', role, as)).data);
  const deputy = await world.member({ memberships: { [id]: 5 } });
  const member = await world.member({ memberships: { [id]: 5 } });
  await world.call('membership.changeRole', { memberId: deputy.id, customRoleId: saved.id }, as);
  const theirs = { token: deputy.token, accountId: id };
  for (const memberId of [deputy.id, member.id])
    expect((await world.call('membership.changeRole', { memberId, roleType: 2 }, theirs)).status).toBe(403);
  expect(
    (await world.call('membership.changeRole', { memberId: member.id, roleType: 3 }, theirs)).status,
  ).toBe(200);
  expect((await world.call('event.list', {}, theirs)).status).toBe(403);
});

describe('a reader that waits for events', () => {
  it('is answered when the service stops', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const startedAt = performance.now();
    const waiting = world.service.send('/v1/event/list', { ...as, body: { wait: 25 } });
    world.service.services.stopping.abort();
    expect((await waiting).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('is refused when the membership ends meanwhile, and gets no event that came afterwards', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const manager = await world.member({ memberships: { [id]: 2 } });
    const { nextCursor } = await read(world, { token: manager.token, accountId: id });
    const waiting = world.service.send('/v1/event/list', {
      token: manager.token,
      accountId: id,
      body: { after: nextCursor, wait: 20 },
    });
    await world.call('membership.remove', { memberId: manager.id }, as);
    await sequenceEvents(world.db, randomUUID(), 10);
    const answer = await waiting;
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('account_forbidden')]);
  });

  it('costs the database no more when many others wait at its node', async () => {
    await using world = await startPeopleWorld();
    const { db, stopping } = world.service.services;
    const calls: Promise<Response>[] = [];
    for (let at = 0; at < 10; at += 1) {
      const { id, owner } = await world.account();
      const as = { token: owner.token, accountId: id };
      calls.push(world.service.send('/v1/event/list', { ...as, body: { wait: 25 } }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const reads = vi.spyOn(db, 'select');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const count = reads.mock.calls.length;
    stopping.abort();
    for (const call of calls) expect((await call).status).toBe(200);
    expect(count).toBeLessThan(15);
  });

  it('may wait beside one other, and a third is refused with a retry time', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    const calls = [1, 2, 3].map(() => world.service.send('/v1/event/list', { ...as, body: { wait: 25 } }));
    expect((await Promise.race(calls)).status).toBe(429);
    world.service.services.stopping.abort();
    expect((await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 429,
    ]);
  });
});

it('old events are deleted up to the first recent one, even if wrong clocks dated later ones in the past', async () => {
  await using world = await startPeopleWorld();
  const { id, owner } = await world.account();
  const as = { token: owner.token, accountId: id };
  for (const name of ['A', 'B', 'C', 'D']) await world.call('account.rename', { name }, as);
  await read(world, as);
  const old = (position: number) =>
    changeColumn(world.db, { table: 'events', column: 'at_ms', by: 'position', id: position }, 1);
  for (const position of [1, 3]) await old(position);
  expect(await removeOldEvents(world.db, { beforeMs: 1000, limit: 100 })).toBe(1);
  expect((await read(world, as)).data.map(({ data: of }) => of['name'])).toEqual(['B', 'C', 'D']);
});

describe('the sequence numbers of events', () => {
  it('have no gaps, and are assigned once however many nodes assign them', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    for (let at = 0; at < 12; at += 1) await world.call('account.rename', { name: `Name ${at}` }, as);
    const turns = Array.from({ length: 6 }, async (_, node) => {
      const db = node % 2 === 0 ? world.db : world.other.database;
      while ((await sequenceEvents(db, randomUUID(), 5)) > 0);
    });
    await Promise.all(turns);
    const rows = await listEvents(world.db, {}, { after: 0, through: 1000, limit: 1000 });
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1));
    expect(rows.map(({ subjectVersion }) => subjectVersion)).toEqual(rows.map((_, at) => at + 1));
    expect(rows).toHaveLength(12);
  });

  it('follow the versions of each subject when ids do not', () => {
    const rows = [
      { subjectKind: 'member', subjectId: 1, subjectVersion: 2 },
      { subjectKind: 'account', subjectId: 1, subjectVersion: 9 },
      { subjectKind: 'member', subjectId: 1, subjectVersion: 1 },
    ];
    expect(inOrderOfVersions(rows).map(({ subjectVersion }) => subjectVersion)).toEqual([1, 9, 2]);
  });

  it('are not assigned to a change that is rolled back', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const as = { token: owner.token, accountId: id };
    await world.call('membership.remove', { memberId: owner.id }, as);
    expect((await read(world, as)).data).toEqual([]);
  });
});

/**
 * Actions that change nothing a program is told of: sign-ins, factors, staff, partners, exports, upkeep. The writers of
 * `membership.held` and `role.changed` name the events themselves.
 */
const UNTOLD = `
account.erased account.exported
address.change-approved address.change-cancelled address.change-denied address.change-requested
affiliate.added affiliate.changed auth-token.issued checkout.started client-host.allowed client-host.blocked consent.token-reused
application.added application.allowed application.blocked application.changed application.removed application.secret-added application.secret-removed
connection.added connection.deletedByProvider connection.removed connection.renewed
endpoint.changed endpoint.made endpoint.redelivered endpoint.removed endpoint.resumed endpoint.secret-rotated export.begun
factor.backup-code-used factor.backup-codes-made factor.locked factor.passkey-added factor.passkey-removed
factor.passkey-renamed factor.passkey-suspect factor.switched factor.switched-off factor.switched-on factor.ticket-printed
factor.totp-added factor.totp-removed
impersonation.called impersonation.ended impersonation.opened impersonation.started
invitation.renewed invitation.resent mail.retried
member.confirmation-sent member.erased member.exported member.reset-sent member.unlocked
machine.changed machine.made machine.removed membership.held partner.added partner.changed partner.consent partner.deactivated partner.link_ended partner.link_kept
partner.member_linked partner.rotation_finished partner.secret_rotated
password.adopted password.changed password.listed password.set personnel.changed personnel.promoted personnel.reinvited
portal.opened recovery.approved recovery.canceled recovery.completed recovery.expired recovery.opened
recovery.ticket-sent recovery.ticket-used resource.added resource.changed resource.removed
role.changed role.made role.removed scim.token-added scim.token-removed
scim.group-changed scim.group-made scim.group-removed
session.all-ended session.ended session.many-networks session.others-ended session.refreshed session.renamed
session.started session.verified
sso.connection-activated sso.connection-added sso.connection-changed sso.connection-deactivated sso.connection-removed
sso.domain-added sso.domain-removed sso.consent sso.member-joined subject.removed subscription.reconciled webhook.replayed
`
  .trim()
  .split(/\s+/);

it('every action of the audit log has its events, or is listed as having none', () => {
  const told = Object.keys(EVENTS_OF_ACTS);
  const advice = 'add the action to EVENTS_OF_ACTS, or to UNTOLD of this test if it causes no event';
  expect([...told, ...UNTOLD].toSorted(), advice).toEqual(auditedActions().toSorted());
});

it('the guide to events names every type', () => {
  const guide = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((line) => [...line.matchAll(/`([a-z]+\.[A-Za-z]+)`/g)].map(([, type]) => type));
  expect(new Set(named)).toEqual(new Set(Object.keys(EVENT_TYPES)));
});
