import { listAudit } from '@gatehouse/db/queries/audit-log';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { readOutbox, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TRANSPORTS } from '../test/people-world.js';
import { PASSWORD, type SupportWorld, startSupportWorld } from '../test/support-world.js';

const OPTIONS = { timeout: 120_000 };

const reason = 'They asked for it';

const away = z.array(
  z.object({ id: z.int(), state: z.string(), comesBack: z.boolean(), role: z.string() }).loose(),
);

interface Account {
  readonly id: number;
  readonly owner: TestMember;
}

async function openAccount(world: SupportWorld): Promise<Account> {
  const owner = await world.member();
  const { data } = await world.call('account.create', { name: 'Kiln' }, owner, { on: world.main });
  return { id: z.object({ id: z.int() }).parse(data).id, owner };
}

const asOwner = ({ id, owner }: Account) => ({ token: owner.token, accountId: id });

/** Lets a member delete themselves. Returns the link that brings them back. */
async function leave(world: SupportWorld, member: TestMember, accounts: object[] = []): Promise<string> {
  const answer = await world.call('member.deleteOwn', { accounts }, member, { on: world.main });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  const mails = await readOutbox(world.main);
  return mails.find(({ kind, to }) => kind === 'memberDeleted' && to === member.email)?.token ?? '';
}

async function comeBack(world: SupportWorld, token: string) {
  const response = await world.main.send('/v1/member/restoreOwn', { body: { token, password: PASSWORD } });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code ?? response.status;
}

const listAway = async (world: SupportWorld, account: Account) =>
  away.parse((await world.call('membership.listAway', {}, asOwner(account), { on: world.main })).data);

const ownersMails = async (world: SupportWorld, { owner }: Account) =>
  (await readOutbox(world.main)).filter(({ kind, to }) => kind === 'memberReturned' && to === owner.email);

describe('a member who deleted themselves', () => {
  it.each(TRANSPORTS)(
    'can be banned while deleted, and is banned when they come back, over %s',
    OPTIONS,
    async (transport) => {
      await using world = await startSupportWorld();
      const member = await world.member({ memberships: { 2: 5 } });
      const link = await leave(world, member);
      const page = await world.call('member.page', { memberId: member.id }, world.manager);
      expect(z.object({ actions: z.array(z.string()) }).parse(page.data).actions).toContain('ban');
      const ban = await world.call('member.ban', { memberId: member.id }, world.manager, { transport });
      expect([ban.status, ban.data]).toEqual([200, { ownerlessAccounts: [] }]);
      expect(await comeBack(world, link)).toBe(200);
      expect(await world.signIn(member.email)).toBeUndefined();
      expect((await world.call('member.unban', { memberId: member.id }, world.manager)).status).toBe(200);
      expect(await world.signIn(member.email)).toBeDefined();
    },
  );

  it('cannot be reached by staff who could not ban them before', OPTIONS, async () => {
    await using world = await startSupportWorld();
    const elsewhere = await world.member({ memberships: { 2: 5, 3: 5 } });
    const stranger = await world.member({ memberships: { 3: 5 } });
    const above = await world.member({ memberships: { 2: 1 } });
    // The account that closed with its owner opens again with them, and the manager does not get it.
    const owning = await world.member({ memberships: { 2: 5 } });
    await world.call('account.create', { name: 'Mine' }, owning, { on: world.main });
    for (const member of [elsewhere, stranger, above, owning]) await leave(world, member);
    const codeOf = async ({ id }: TestMember) =>
      (await world.call('member.ban', { memberId: id }, world.manager)).code;
    expect(await codeOf(elsewhere)).toBe('permission_denied');
    expect(await codeOf(stranger)).toBe('not_found');
    expect(await codeOf(above)).toBe('permission_denied');
    expect(await codeOf(owning)).toBe('permission_denied');
    expect((await world.call('member.ban', { memberId: owning.id }, world.root)).status).toBe(200);
  });

  it(
    'does not come back by the link after an administrator removed them, until an administrator restores them',
    OPTIONS,
    async () => {
      await using world = await startSupportWorld();
      const member = await world.member({ memberships: { 2: 5 } });
      const link = await leave(world, member);
      for (const _ of [1, 2])
        expect((await world.call('member.remove', { memberId: member.id }, world.root)).status).toBe(200);
      expect(await comeBack(world, link)).toBe('invalid_token');
      expect(await world.signIn(member.email)).toBeUndefined();
      const filter = { action: 'member.removed', subjectId: String(member.id) };
      expect(await listAudit(world.db, filter, { limit: 5 })).toHaveLength(1);
      expect((await world.call('member.restore', { memberId: member.id, reason }, world.root)).status).toBe(
        200,
      );
      expect(await world.signIn(member.email)).toBeDefined();
      expect(await findMembership(world.db, { memberId: member.id, accountId: 2 })).toMatchObject({
        active: true,
      });
    },
  );

  it(
    'is listed to the owners, and does not come back to an account from which owners or staff removed them',
    OPTIONS,
    async () => {
      await using world = await startSupportWorld();
      const account = await openAccount(world);
      const [one, other] = [
        await world.member({ memberships: { [account.id]: 5 } }),
        await world.member({ memberships: { [account.id]: 3 } }),
      ];
      const links = [await leave(world, one), await leave(world, other)];
      expect(await listAway(world, account)).toMatchObject([
        { id: one.id, state: 'deleted', comesBack: true, role: 'User Member' },
        { id: other.id, state: 'deleted', comesBack: true },
      ]);
      const manager = await world.member({ memberships: { [account.id]: 2 } });
      const outranked = await world.member({ memberships: { [account.id]: 1 } });
      await leave(world, outranked);
      const inAccount = { token: manager.token, accountId: account.id };
      const remove = (memberId: number, as = inAccount) =>
        world.call('membership.remove', { memberId }, as, { on: world.main });
      expect((await remove(outranked.id)).code).toBe('permission_denied');
      expect((await remove(one.id, asOwner(account))).status).toBe(200);
      expect((await remove(one.id, asOwner(account))).code).toBe('not_found');
      const place = { memberId: other.id, accountId: account.id };
      expect((await world.call('membership.remove', place, world.root)).status).toBe(200);
      for (const link of links) expect(await comeBack(world, link)).toBe(200);
      for (const { id: memberId } of [one, other])
        expect(await findMembership(world.db, { memberId, accountId: account.id })).toBeUndefined();
      expect((await listAway(world, account)).map(({ id }) => id)).toEqual([outranked.id]);
      expect(await ownersMails(world, account)).toEqual([]);
    },
  );

  it(
    'comes back with a role that its granter may still assign, and the owners are notified',
    OPTIONS,
    async () => {
      await using world = await startSupportWorld();
      const account = await openAccount(world);
      const member = await world.member({ memberships: { [account.id]: 5 } });
      const role = { memberId: member.id, roleType: 2 };
      await world.call('membership.changeRole', role, asOwner(account), { on: world.main });
      expect(await comeBack(world, await leave(world, member))).toBe(200);
      const token = (await world.signIn(member.email)) ?? '';
      expect(await world.statuses({ token, accountId: account.id })).toEqual([200, 200, 200]);
      expect(
        (await ownersMails(world, account)).map(({ text }) =>
          text.includes('access to the organization “Kiln” again'),
        ),
      ).toEqual([true]);
      const filter = { accountId: account.id, action: 'membership.restored' };
      expect(await listAudit(world.db, filter, { limit: 5 })).toMatchObject([
        { actorId: member.id, after: { roleType: 2, active: true } },
      ]);
    },
  );

  const CHANGES: Readonly<
    Record<string, (world: SupportWorld, account: Account, granter: TestMember) => Promise<object>>
  > = {
    'the granter of the role has left': (world, account, { id: memberId }) =>
      world.call('membership.remove', { memberId }, asOwner(account), { on: world.main }),
    'the granter of the role may give less': (world, account, { id: memberId }) =>
      world.call('membership.changeRole', { memberId, roleType: 5 }, asOwner(account), { on: world.main }),
    'the granter of the role is banned': (world, _account, { id: memberId }) =>
      world.call('member.ban', { memberId }, world.root),
    'the primary owner has changed': (world, account, { id: memberId }) =>
      world.call('account.transferOwnership', { memberId }, asOwner(account), { on: world.main }),
  };

  it.each(Object.keys(CHANGES))("awaits an owner's approval when %s", OPTIONS, async (which) => {
    await using world = await startSupportWorld();
    const account = await openAccount(world);
    const granter = await world.member({ memberships: { [account.id]: 1 } });
    const member = await world.member({ memberships: { [account.id]: 5 } });
    const given = { memberId: member.id, roleType: 2 };
    const by = { token: granter.token, accountId: account.id };
    expect((await world.call('membership.changeRole', given, by, { on: world.main })).status).toBe(200);
    const link = await leave(world, member);
    expect(await CHANGES[which]?.(world, account, granter)).toMatchObject({ status: 200 });
    expect(await comeBack(world, link)).toBe(200);
    const token = (await world.signIn(member.email)) ?? '';
    const there = { token, accountId: account.id };
    expect(await world.statuses(there)).toEqual([403, 403, 403]);
    expect(await listAway(world, account)).toMatchObject([
      { id: member.id, state: 'waiting', comesBack: false },
    ]);
    expect(
      (await ownersMails(world, account)).map(({ text }) =>
        text.includes("don't have access to the organization “Kiln” yet"),
      ),
    ).toEqual([true]);
    const yes = { memberId: member.id, roleType: 3 };
    expect(
      (await world.call('membership.changeRole', yes, asOwner(account), { on: world.main })).status,
    ).toBe(200);
    expect(await world.statuses(there)).toEqual([200, 200, 200]);
    expect(await listAway(world, account)).toEqual([]);
  });

  it(
    "awaits an owner's approval when the role no longer exists, and can be removed meanwhile",
    OPTIONS,
    async () => {
      await using world = await startSupportWorld();
      const account = await openAccount(world);
      const member = await world.member({ memberships: { [account.id]: 5 } });
      const how = { on: world.main };
      const role = { name: 'Reader', roleType: 5, permissions: ['account.read'] };
      const { data } = await world.call('role.save', role, asOwner(account), how);
      const { id: customRoleId } = z.object({ id: z.int() }).parse(data);
      await world.call('membership.changeRole', { memberId: member.id, customRoleId }, asOwner(account), how);
      const link = await leave(world, member);
      expect((await world.call('role.remove', { customRoleId }, asOwner(account), how)).status).toBe(200);
      expect(await comeBack(world, link)).toBe(200);
      expect(await listAway(world, account)).toMatchObject([{ id: member.id, state: 'waiting' }]);
      // The other answer is a refusal.
      const no = await world.call('membership.remove', { memberId: member.id }, asOwner(account), how);
      expect([no.status, await listAway(world, account)]).toEqual([200, []]);
    },
  );
});

describe('an account that is restored', () => {
  it(
    'comes back without those who were banned while it was closed, even if the ban has ended',
    OPTIONS,
    async () => {
      await using world = await startSupportWorld();
      const account = await openAccount(world);
      const people = [
        await world.member({ memberships: { [account.id]: 5 } }),
        await world.member({ memberships: { [account.id]: 5 } }),
      ];
      const [banned, before] = people as [TestMember, TestMember];
      const how = { on: world.main };
      const ban = (memberId: number) => world.call('member.ban', { memberId }, world.root);
      await ban(before.id);
      await world.call('account.close', { name: 'Kiln' }, asOwner(account), how);
      await ban(banned.id);
      for (const { id: memberId } of people) await world.call('member.unban', { memberId }, world.root);
      const restored = await world.call('account.restore', { accountId: account.id }, account.owner, how);
      expect(restored.status).toBe(200);
      const reaches = async ({ email }: TestMember) => {
        const token = (await world.signIn(email)) ?? '';
        return (await world.main.send('/auth/me', { token, accountId: account.id })).status;
      };
      expect([await reaches(banned), await reaches(before)]).toEqual([403, 200]);
      expect(await listAway(world, account)).toMatchObject([{ id: banned.id, state: 'waiting' }]);
    },
  );
});
