import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { endGrace } from '../test/end-grace.js';
import { exchange, partnerClient } from '../test/partner-client.js';
import { type PeopleWorld, startPeopleWorld, TRANSPORTS } from '../test/people-world.js';
import { accountErasure } from './erasure-jobs.js';

const DAY_MS = 86_400_000;
const MINUTES_11_MS = 11 * 60_000;

async function subscriptionState({ db }: PeopleWorld, accountId: number): Promise<string | undefined> {
  const rows = await db.select().from(db.tables.subscriptions);
  return rows.find((row) => row.accountId === accountId)?.state;
}

async function auditOf({ db }: PeopleWorld, accountId: number): Promise<string[]> {
  const rows = await db.select().from(db.tables.auditLog);
  return rows.filter((row) => row.accountId === accountId).map(({ action }) => action);
}

describe.each(TRANSPORTS)('a second account, over %s', (transport) => {
  it('is opened by a member, who owns it and belongs to it from the next request on every node', async () => {
    await using world = await startPeopleWorld();
    const ada = await world.member();
    const first = await world.call('account.create', { name: 'Ada & Co' }, ada, { transport });
    expect(first).toMatchObject({
      status: 200,
      data: {
        name: 'Ada & Co',
        state: 'live',
        roleType: 1,
        role: 'Owner',
        isPrimaryOwner: true,
        erasedAt: null,
      },
    });
    const { id } = first.data as { id: number };
    const asOwner = { token: ada.token, accountId: id };
    expect(
      await world.call('account.rename', { name: 'Ada' }, asOwner, { transport, on: world.other }),
    ).toMatchObject({
      status: 200,
      data: { name: 'Ada' },
    });
    expect(await subscriptionState(world, id)).toBe('trialing');
    const second = await world.call('account.create', { name: 'Another' }, ada, { transport });
    expect(await subscriptionState(world, (second.data as { id: number }).id)).toBe('expired');
    expect(await auditOf(world, id)).toEqual(['account.created', 'account.renamed']);
    expect((await world.call('account.listMine', {}, ada, { transport })).data).toMatchObject([
      { name: 'Ada' },
      { name: 'Another' },
    ]);
  });

  it('is refused without a confirmed address, as the sixth in a day and as the eleventh in total', async () => {
    await using world = await startPeopleWorld({ ACCOUNTS_PER_MEMBER: '7' });
    const { call } = world;
    const unconfirmed = await world.member({ isConfirmed: false });
    expect(await call('account.create', { name: 'A' }, unconfirmed, { transport })).toMatchObject({
      status: 403,
      code: 'unconfirmed',
    });
    const ada = await world.member();
    const codes: (string | undefined)[] = [];
    for (let at = 0; at < 6; at += 1)
      codes.push((await call('account.create', { name: `No. ${at}` }, ada, { transport })).code);
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'rate_limited']);
    world.wait(DAY_MS);
    codes.length = 0;
    for (let at = 0; at < 3; at += 1)
      codes.push((await call('account.create', { name: `No. ${at}` }, ada, { transport })).code);
    expect(codes).toEqual([undefined, undefined, 'account_limit']);
    expect((await call('account.create', { name: '\u200b' }, ada, { transport })).status).toBe(400);
  });

  it('is not restored beyond the limit', async () => {
    await using world = await startPeopleWorld({ ACCOUNTS_PER_MEMBER: '1' });
    const ada = await world.member();
    const open = async (name: string) => {
      const { status, code, data } = await world.call('account.create', { name }, ada, { transport });
      return status === 200 ? (data as { id: number }).id : code;
    };
    const first = await open('First');
    const as = { token: ada.token, accountId: Number(first) };
    expect((await world.call('account.close', { name: 'First' }, as, { transport })).status).toBe(200);
    const second = await open('Second');
    const restore = () => world.call('account.restore', { accountId: first }, ada, { transport });
    expect(await restore()).toMatchObject({ status: 409, code: 'account_limit' });
    const other = { token: ada.token, accountId: Number(second) };
    expect((await world.call('account.close', { name: 'Second' }, other, { transport })).status).toBe(200);
    expect((await restore()).status).toBe(200);
  });

  it('is not restored beyond the limit by two concurrent calls on two nodes', async () => {
    await using world = await startPeopleWorld({ ACCOUNTS_PER_MEMBER: '2' });
    const ada = await world.member();
    const opened: number[] = [];
    for (const name of ['First', 'Second', 'Third', 'Fourth']) {
      const { data } = await world.call('account.create', { name }, ada, { transport });
      const { id } = data as { id: number };
      const as = { token: ada.token, accountId: id };
      expect((await world.call('account.close', { name }, as, { transport })).status).toBe(200);
      opened.push(id);
    }
    const answers = await Promise.all(
      opened.map((accountId, at) =>
        world.call('account.restore', { accountId }, ada, {
          transport,
          on: at % 2 ? world.service : world.other,
        }),
      ),
    );
    expect(answers.map(({ code }) => code ?? 'ok').toSorted()).toEqual([
      'account_limit',
      'account_limit',
      'ok',
      'ok',
    ]);
  });

  it('stays within the limit when many are opened concurrently on two nodes', async () => {
    await using world = await startPeopleWorld({ ACCOUNTS_PER_MEMBER: '3' });
    const ada = await world.member();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        world.call('account.create', { name: `No. ${at}` }, ada, {
          transport,
          on: at % 2 ? world.service : world.other,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await world.call('account.listMine', {}, ada)).data).toHaveLength(3);
  });

  it('is renamed by a member with account.manage in person, and by nobody else', async () => {
    await using world = await startPeopleWorld();
    const { id } = await world.account();
    const manager = await world.member({ memberships: { [id]: 2 } });
    const stranger = await world.member();
    const rename = (token: string) =>
      world.call('account.rename', { name: 'Other' }, { token, accountId: id }, { transport });
    expect(await rename(manager.token)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(await rename(stranger.token)).toMatchObject({ status: 403, code: 'account_forbidden' });
    const partner = await partnerClient(world.service);
    const { userId, accountId } = await partner.register({ email: 'ada@example.org' });
    const begun = await exchange(world.service, await partner.signOn({ userId }));
    expect(
      await world.call(
        'account.rename',
        { name: 'Theirs' },
        { token: begun.token, accountId },
        { transport },
      ),
    ).toMatchObject({ status: 403, code: 'permission_denied' });
  });
});

describe.each(TRANSPORTS)('the ownership of an account, over %s', (transport) => {
  it('is transferred to a confirmed member, who becomes an owner, and mails both', async () => {
    await using world = await startPeopleWorld();
    const { id, name, owner } = await world.account();
    const next = await world.member({ memberships: { [id]: 5 } });
    const as = { token: owner.token, accountId: id };
    const moved = await world.call('account.transferOwnership', { memberId: next.id }, as, { transport });
    expect(moved).toMatchObject({ status: 200, data: { id, isPrimaryOwner: false, roleType: 1 } });
    const asNext = { token: next.token, accountId: id };
    expect(await world.call('account.listMine', {}, asNext, { on: world.other })).toMatchObject({
      data: [{ id, isPrimaryOwner: true, roleType: 1 }],
    });
    expect(
      await world.call('account.transferOwnership', { memberId: owner.id }, as, { transport }),
    ).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    const mails = await readOutbox(world.service);
    expect(new Set(mails.map(({ kind, to }) => `${kind} ${to}`))).toEqual(
      new Set([`ownershipMoved ${owner.email}`, `ownershipMoved ${next.email}`]),
    );
    expect(mails.every(({ text }) => text.includes(name))).toBe(true);
    expect(await auditOf(world, id)).toEqual(['account.ownership-moved']);
    const again = await world.call('account.transferOwnership', { memberId: next.id }, asNext, { transport });
    expect(again.status).toBe(200);
    expect(await readOutbox(world.service)).toHaveLength(2);
  });

  it('is not transferred to strangers, staff, or unconfirmed, banned or disabled members', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account();
    const place = { memberships: { [id]: 1 } };
    const off = await world.member(place);
    await changeAccess(world.db, { members: [off.id] }, (tx) =>
      setMembership(tx, { memberId: off.id, accountId: id, roleType: 1, active: false, nowMs: Date.now() }),
    );
    const cases = [
      [await world.member(), 404, 'not_found'],
      [{ id: 999_999 }, 404, 'not_found'],
      [await world.member({ ...place, roleType: 11 }), 404, 'not_found'],
      [off, 404, 'not_found'],
      [await world.member({ ...place, isConfirmed: false }), 403, 'unconfirmed'],
      [await world.member({ ...place, isPersonnel: true, roleType: 6 }), 403, 'permission_denied'],
    ] as const;
    for (const [member, status, code] of cases) {
      const as = { token: owner.token, accountId: id };
      const answer = await world.call('account.transferOwnership', { memberId: member.id }, as, {
        transport,
      });
      expect([answer.status, answer.code]).toEqual([status, code]);
    }
    expect((await world.call('account.listMine', {}, owner)).data).toMatchObject([{ isPrimaryOwner: true }]);
  });

  it('is transferred and closed only by a caller with a fresh proof', async () => {
    await using world = await startPeopleWorld();
    const { id, name, owner } = await world.account();
    const next = await world.member({ memberships: { [id]: 1 } });
    world.wait(MINUTES_11_MS);
    const as = { token: owner.token, accountId: id };
    for (const [call, input] of [
      ['account.transferOwnership', { memberId: next.id }],
      ['account.close', { name }],
      ['account.close', { name: 'not this, which is told later' }],
    ] as const) {
      const answer = await world.call(call, input, as, { transport });
      expect([answer.status, answer.code]).toEqual([403, 'verification_required']);
    }
    const asNext = { token: next.token, accountId: id };
    expect(await world.call('account.close', { name }, asNext, { transport })).toMatchObject({
      code: 'permission_denied',
    });
  });
});

describe.each(TRANSPORTS)('an account, over %s,', (transport) => {
  it('is closed and restored for everybody by its primary owner', async () => {
    await using world = await startPeopleWorld();
    const { id, name, owner } = await world.account();
    const [manager, coOwner] = [
      await world.member({ memberships: { [id]: 2 } }),
      await world.member({ memberships: { [id]: 1 } }),
    ];
    const as = { token: owner.token, accountId: id };
    const asManager = { token: manager.token, accountId: id };
    expect((await world.call('member.list', {}, asManager, { on: world.other })).status).toBe(200);
    expect(await world.call('account.close', { name: `${name}!` }, as, { transport })).toMatchObject({
      status: 400,
      code: 'invalid_input',
      issues: [{ path: 'name' }],
    });
    const closed = await world.call('account.close', { name }, as, { transport });
    expect(closed.status).toBe(200);
    const { erasedAt } = closed.data as { erasedAt: string };
    expect(Date.parse(erasedAt) - Date.now()).toBeGreaterThan(29 * DAY_MS);
    for (const token of [manager.token, owner.token, coOwner.token]) {
      const answer = await world.call('member.list', {}, { token, accountId: id }, { on: world.other });
      expect([answer.status, answer.code]).toEqual([403, 'account_forbidden']);
    }
    expect((await world.call('account.listMine', {}, owner, { transport })).data).toMatchObject([
      { id, state: 'closed', erasedAt },
    ]);
    const kinds = (await readOutbox(world.service)).map(({ kind, to }) => `${kind} ${to}`);
    expect(kinds.toSorted()).toEqual(
      [`accountClosed ${owner.email}`, `accountClosed ${coOwner.email}`].toSorted(),
    );

    const restore = (token: string) =>
      world.call('account.restore', { accountId: id }, { token }, { transport });
    expect(await restore(coOwner.token)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(await restore((await world.member()).token)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await restore(owner.token)).toMatchObject({
      status: 200,
      data: { id, state: 'live', erasedAt: null },
    });
    expect(await restore(owner.token)).toMatchObject({ status: 200, data: { state: 'live' } });
    expect((await world.call('member.list', {}, asManager, { on: world.other })).status).toBe(200);
    expect(await auditOf(world, id)).toEqual(['account.closed', 'account.restored']);
  });

  it('is not restored after its grace period, and its data is erased after a mail to its owners', async () => {
    await using world = await startPeopleWorld({ SESSION_ABSOLUTE: '90d' });
    const { db, service } = world;
    const { id, name, owner } = await world.account();
    const { conversations, messages, participants, subjects, billingCheckouts, billingCustomers } = db.tables;
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const conversationId = await db.insert(conversations, { accountId: id, title: 'Plans', createdAtMs: 1 });
    await db.insert(participants, { conversationId, memberId: owner.id, joinedAtMs: 1 });
    for (let line = 0; line < 600; line += 1)
      await db.insert(messages, {
        conversationId,
        memberId: owner.id,
        body: `line ${line}`,
        createdAtMs: line,
      });
    await db.insert(subjects, { accountId: id, name: 'Budget', createdAtMs: 1 });
    await db.insert(billingCheckouts, {
      accountId: id,
      provider: 'stripe',
      priceId: 'price_1',
      attemptKey: 'key',
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    await db.insert(billingCustomers, {
      provider: 'stripe',
      customerId: 'c',
      accountId: id,
      name: 'Ada',
      ...at,
    });
    const others = (await db.select().from(messages)).length - 600;
    await world.call('account.close', { name }, { token: owner.token, accountId: id }, { transport });
    const runJob = async () => {
      while ((await accountErasure.run(service.services)) > 0);
    };
    await runJob();
    expect(await readOutbox(service)).toHaveLength(1);
    // A node whose clock is ahead erases nothing and notifies nobody.
    world.wait(60 * DAY_MS);
    await runJob();
    expect(await readOutbox(service)).toHaveLength(1);
    await endGrace(db, 27 * DAY_MS + 1_000);
    await runJob();
    const mails = await readOutbox(service);
    expect(mails).toHaveLength(2);
    expect(mails[0]).toMatchObject({
      kind: 'accountClosed',
      subject: expect.stringMatching(/^“.+” is about to be erased$/),
    });
    await endGrace(db, 3 * DAY_MS);
    await runJob();
    const restored = await world.call('account.restore', { accountId: id }, owner, { transport });
    expect(restored).toMatchObject({ status: 409, code: 'grace_over' });
    expect((await db.select().from(messages)).length).toBe(others);
    const left = {
      conversations: (await db.select().from(conversations)).filter((row) => row.accountId === id),
      participants: (await db.select().from(participants)).filter(
        (row) => row.conversationId === conversationId,
      ),
      subjects: (await db.select().from(subjects)).filter((row) => row.accountId === id),
      checkouts: (await db.select().from(billingCheckouts)).filter((row) => row.accountId === id),
      customers: (await db.select().from(billingCustomers)).filter((row) => row.accountId === id),
    };
    expect(left).toEqual({ conversations: [], participants: [], subjects: [], checkouts: [], customers: [] });
    const [account] = (await db.select().from(db.tables.accounts)).filter((row) => row.id === id);
    expect(account).toMatchObject({
      name: '',
      isDeleted: true,
      erasesAtMs: null,
      erasedAtMs: expect.any(Number),
    });
    expect(await subscriptionState(world, id)).toBe('trialing');
    expect(await auditOf(world, id)).toEqual(['account.closed', 'account.erased']);
    expect(await readOutbox(service)).toHaveLength(2);
  });

  it('is refused a restoration from the exact end of its grace period, before the job has run', async () => {
    await using world = await startPeopleWorld({ ACCOUNT_GRACE_DAYS: '1' });
    const { id, name, owner } = await world.account();
    await world.call('account.close', { name }, { token: owner.token, accountId: id }, { transport });
    world.wait(DAY_MS);
    expect(await world.call('account.restore', { accountId: id }, owner, { transport })).toMatchObject({
      status: 409,
      code: 'grace_over',
    });
  });
});
