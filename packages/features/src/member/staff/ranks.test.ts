import { findMembership } from '@gatehouse/db/queries/memberships';
import { findMember } from '@gatehouse/db/queries/read-members';
import { insertTestMember, type TestMember, type TestMemberOptions } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

/** Every call that changes a member, with fields that would take the member over. */
const CHANGES: readonly [name: string, input: (memberId: number) => object][] = [
  ['member.update', (memberId) => ({ memberId, email: 'mine@evil.test' })],
  ['member.update', (memberId) => ({ memberId, firstName: 'Mine' })],
  ['member.update', (memberId) => ({ memberId, lastName: 'Mine' })],
  ['member.update', (memberId) => ({ memberId, roleType: 5 })],
  ['member.update', (memberId) => ({ memberId, roleType: 11 })],
  ['member.update', (memberId) => ({ memberId, role: 'Mine' })],
  ['member.ban', (memberId) => ({ memberId })],
  ['session.endFor', (memberId) => ({ memberId })],
];

const insert = (world: StaffWorld, options: TestMemberOptions) =>
  insertTestMember(world.service.database, options);
const stateOf = (world: StaffWorld, { id }: TestMember) => findMember(world.service.database, id);
const isSignedIn = async (world: StaffWorld, as: TestMember) =>
  (await world.send('/auth/me', as)).status === 200;

describe('an account manager', () => {
  it('changes no member who outranks them by base role or membership, through any field', async () => {
    await using world = await startStaffWorld();
    const superiors = [
      await insert(world, { roleType: 0, memberships: { 2: 5 } }),
      await insert(world, { roleType: 1, memberships: { 2: 5 } }),
      await insert(world, { roleType: 5, memberships: { 2: 1 } }),
      await insert(world, { roleType: 5, memberships: { 2: 0 } }),
      await insert(world, { roleType: 5, memberships: { 2: 5, 3: 1 } }),
      await insert(world, { roleType: 11, memberships: { 2: 1 } }),
    ];
    for (const superior of superiors) {
      const before = await stateOf(world, superior);
      for (const [name, input] of CHANGES) {
        expect([name, (await world.call(name, input(superior.id), world.manager)).code]).toEqual([
          name,
          'permission_denied',
        ]);
      }
      expect(await stateOf(world, superior)).toEqual({ ...before });
    }
  });

  it('changes neither colleagues nor themselves, with any roles', async () => {
    await using world = await startStaffWorld();
    const colleague = await insert(world, { roleType: 5, isPersonnel: true, memberships: { 2: 5 } });
    for (const [name, input] of CHANGES) {
      expect((await world.call(name, input(colleague.id), world.manager)).code).toBe('permission_denied');
      expect((await world.call(name, input(world.manager.id), world.manager)).code).toBe('not_found');
    }
    for (const [name, input] of [
      ['member.unlock', { memberId: colleague.id }],
      ['session.listFor', { memberId: colleague.id }],
      ['membership.save', { memberId: colleague.id, accountId: 2, roleType: 3 }],
      ['membership.remove', { memberId: colleague.id, accountId: 2 }],
    ] as const) {
      expect([name, (await world.call(name, input, world.manager)).code]).toEqual([
        name,
        'permission_denied',
      ]);
    }
  });

  it('assigns no role above their own, as base role or in an account', async () => {
    await using world = await startStaffWorld();
    const { id: memberId } = world.member;
    for (const roleType of [0, 1]) {
      expect((await world.call('member.update', { memberId, roleType }, world.manager)).code).toBe(
        'permission_denied',
      );
      const membership = { memberId, accountId: 2, roleType };
      expect((await world.call('membership.save', membership, world.manager)).code).toBe('permission_denied');
    }
    for (const roleType of [6, 2, 3, 4, 5]) {
      expect((await world.call('member.update', { memberId, roleType }, world.manager)).status).toBe(200);
      const membership = { memberId, accountId: 2, roleType };
      expect((await world.call('membership.save', membership, world.manager)).status).toBe(200);
    }
    for (const roleType of [7, -1, 12, 1.5, '5']) {
      expect((await world.call('member.update', { memberId, roleType }, world.manager)).status).toBe(400);
    }
    expect((await stateOf(world, world.member))?.roleType).toBe(5);
  });

  it('has the rank of their role in an account, and changes members of lower rank there but no owners', async () => {
    await using world = await startStaffWorld();
    const ownerElsewhere = await insert(world, { roleType: 5, memberships: { 2: 3, 3: 1 } });
    const save = (memberId: number, roleType: number) =>
      world.call('membership.save', { memberId, accountId: 2, roleType }, world.manager);
    expect((await save(ownerElsewhere.id, 2)).status).toBe(200);
    expect((await save(8, 5)).code).toBe('permission_denied');
    const removal = { memberId: 8, accountId: 2 };
    expect((await world.call('membership.remove', removal, world.manager)).code).toBe('permission_denied');
    expect(await findMembership(world.service.database, removal)).toMatchObject({
      roleType: 1,
      active: true,
    });
  });

  it('can change what applies in other accounts only with authority there', async () => {
    await using world = await startStaffWorld();
    const shared = await insert(world, { roleType: 5, memberships: { 1: 5, 2: 5 } });
    let manager: { token: string } = world.manager;
    const update = (change: object) =>
      world.call('member.update', { memberId: shared.id, ...change }, manager);
    expect((await update({ firstName: 'Renamed' })).status).toBe(200);
    expect((await update({ email: 'other@many.test' })).code).toBe('permission_denied');
    expect((await update({ roleType: 3 })).code).toBe('permission_denied');
    expect((await world.call('member.ban', { memberId: shared.id }, world.manager)).code).toBe(
      'permission_denied',
    );
    await world.call('personnel.save', { personnelId: world.manager.id, accountIds: [1, 2] }, world.root);
    manager = { token: await world.manager.signInAgain() };
    expect((await update({ roleType: 3 })).status).toBe(200);
    expect((await world.call('member.ban', { memberId: shared.id }, manager)).status).toBe(200);
  });
});

describe('staff of another base role', () => {
  it('never act with a rank above their own through a grant', async () => {
    await using world = await startStaffWorld();
    const helper = await insert(world, { roleType: 3, isPersonnel: true, grants: [2] });
    const manager = await insert(world, { roleType: 5, memberships: { 2: 2 } });
    const save = (memberId: number, roleType: number) =>
      world.call('membership.save', { memberId, accountId: 2, roleType }, helper);
    expect((await save(world.member.id, 2)).code).toBe('permission_denied');
    expect((await save(world.member.id, 6)).code).toBe('permission_denied');
    expect((await save(world.member.id, 4)).status).toBe(200);
    expect((await save(manager.id, 5)).code).toBe('permission_denied');
  });
});

describe('losing a role', () => {
  it('ends the sessions of members who are archived, deleted, demoted or become staff, and no others', async () => {
    await using world = await startStaffWorld();
    const { root } = world;
    const cases: [name: string, input: (id: number) => object, endsSessions: boolean][] = [
      ['member.ban', (memberId) => ({ memberId }), true],
      ['member.remove', (memberId) => ({ memberId }), true],
      ['member.update', (memberId) => ({ memberId, roleType: 11 }), true],
      ['member.update', (memberId) => ({ memberId, roleType: 5 }), true],
      ['member.update', (memberId) => ({ memberId, roleType: 3 }), false],
      ['member.update', (memberId) => ({ memberId, roleType: 2, role: 'Chief' }), false],
      ['personnel.promote', (memberId) => ({ memberId }), true],
      ['session.endFor', (memberId) => ({ memberId }), true],
    ];
    for (const [name, input, endsSessions] of cases) {
      const target = await insert(world, { roleType: 4, memberships: { 2: 5 } });
      const legacy = await insert(world, { roleType: 4, memberships: { 2: 5 }, withSession: false });
      for (const each of [target, legacy]) {
        expect(await isSignedIn(world, each)).toBe(true);
        expect([name, (await world.call(name, input(each.id), root)).status]).toEqual([name, 200]);
        expect([name, await isSignedIn(world, each)]).toEqual([name, !endsSessions]);
      }
    }
  });

  it('is seen on the next request wherever the member acts', async () => {
    await using world = await startStaffWorld();
    const owner = await insert(world, { roleType: 5, memberships: { 2: 1 } });
    const account = async () =>
      (await world.service.send('/auth/me', { token: owner.token, accountId: 2 })).json() as Promise<{
        currentAccount?: { role: number };
        error?: { code: string };
      }>;
    expect((await account()).currentAccount?.role).toBe(1);
    const place = { memberId: owner.id, accountId: 2 };
    await world.call('membership.save', { ...place, roleType: 5 }, world.root);
    expect((await account()).currentAccount?.role).toBe(5);
    await world.call('membership.save', { ...place, roleType: 5, active: false }, world.root);
    expect((await account()).error?.code).toBe('account_forbidden');
    await world.call('membership.save', { ...place, roleType: 5 }, world.root);
    expect((await account()).currentAccount?.role).toBe(5);
    await world.call('membership.remove', place, world.root);
    expect((await account()).error?.code).toBe('account_forbidden');
    expect((await world.call('membership.remove', place, world.root)).code).toBe('not_found');
  });
});

describe('a change of address', () => {
  it('takes effect once the new address confirms, notifies the old one, and refuses a taken one', async () => {
    await using world = await startStaffWorld();
    const { id: memberId } = world.member;
    const before = await stateOf(world, world.member);
    const answer = await world.call('member.update', { memberId, email: 'New@Many.test' }, world.manager);
    expect(answer.body['data']).toMatchObject({ email: before?.email, sid: before?.sid });
    const { mailOutbox, members } = world.service.database.tables;
    const mails = await world.service.database
      .select({ kind: mailOutbox.kind, to: mailOutbox.recipient })
      .from(mailOutbox);
    expect(mails).toEqual(
      expect.arrayContaining([
        { kind: 'activation', to: 'new@many.test' },
        { kind: 'addressChanging', to: before?.email },
      ]),
    );
    const pending = await world.service.database.select({ email: members.pendingEmail }).from(members);
    expect(pending.filter(({ email }) => email !== null)).toEqual([{ email: 'new@many.test' }]);
    for (const email of ['owner@birch.test', 'OWNER@birch.test ', 'ｏwner@birch.test']) {
      expect([email, (await world.call('member.update', { memberId, email }, world.manager)).code]).toEqual([
        email,
        'email_taken',
      ]);
    }
    for (const email of ['no-address', 'a@b', 'a\r\n@b.test', '', 5]) {
      expect((await world.call('member.update', { memberId, email }, world.manager)).status).toBe(400);
    }
  });
});
