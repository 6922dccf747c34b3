import { PERMISSIONS } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PeopleWorld, startPeopleWorld, TRANSPORTS } from '../test/people-world.js';

const FRONT_DESK = {
  name: 'Front desk',
  roleType: 5,
  permissions: ['account.read', 'member.list'],
};

type As = { token: string; accountId: number };

async function made(world: PeopleWorld, as: As, role: object = FRONT_DESK): Promise<number> {
  const { status, data } = await world.call('role.save', role, as);
  expect(status).toBe(200);
  return (data as { id: number }).id;
}

const place = (world: PeopleWorld, token: string, accountId: number) =>
  world.service
    .send('/auth/me', { token, accountId })
    .then((response) => response.json() as Promise<{ currentAccount: object | null }>)
    .then(({ currentAccount }) => currentAccount);

describe.each(TRANSPORTS)('a custom role of an account, over %s,', (transport) => {
  it('permits exactly what it names, and a change applies from the next request on every node', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const ada = await world.member({ memberships: { [accountId]: 2 } });
    const asAda = { token: ada.token, accountId };
    const customRoleId = await made(world, as);
    const changed = await world.call('membership.changeRole', { memberId: ada.id, customRoleId }, as, {
      transport,
    });
    expect(changed).toMatchObject({
      status: 200,
      data: { id: ada.id, roleType: 5, role: 'Front desk', customRoleId, isPrimaryOwner: false },
    });
    expect(await place(world, ada.token, accountId)).toMatchObject({
      role: 5,
      roleLabel: 'Front desk',
      customRoleId,
      permissions: ['account.read', 'member.list'],
    });
    const listed = await world.call('member.list', {}, asAda, { transport, on: world.other });
    expect(listed.data).toMatchObject([
      { id: owner.id, accountRole: 1, accountRoleLabel: 'Owner', customRoleId: null, isPrimaryOwner: true },
      {
        id: ada.id,
        accountRole: 5,
        accountRoleLabel: 'Front desk',
        customRoleId,
        isPrimaryOwner: false,
        role_type: 5,
      },
    ]);
    const narrower = { customRoleId, name: 'Desk', roleType: 3, permissions: ['account.read'] };
    expect((await world.call('role.save', narrower, as, { transport })).status).toBe(200);
    expect(await world.call('member.list', {}, asAda, { transport, on: world.other })).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    expect(await place(world, ada.token, accountId)).toMatchObject({ role: 3, roleLabel: 'Desk' });
    const rows = await world.db.select().from(world.db.tables.memberships);
    expect(rows.find(({ memberId }) => memberId === ada.id)).toMatchObject({ roleType: 3, customRoleId });
  });

  it('is listed after the built-in ones, page by page', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const customRoleId = await made(world, as);
    const all = await world.call('role.list', {}, as, { transport });
    const roles = all.data as { name: string; isBuiltIn: boolean; permissions: string[] }[];
    expect(roles.map(({ name }) => name)).toEqual([
      'Admin',
      'Owner',
      'Account Manager',
      'Manager/Collaborator',
      'Contributor',
      'Designer',
      'User Member',
      'Front desk',
    ]);
    expect(roles.at(-1)).toMatchObject({ id: customRoleId, isBuiltIn: false, ...FRONT_DESK });
    expect(roles[0]?.permissions).toEqual([...PERMISSIONS]);
    const user = await world.member({ memberships: { [accountId]: 5 } });
    expect((await world.call('role.list', {}, { token: user.token, accountId }, { transport })).code).toBe(
      'permission_denied',
    );
  });

  it('is refused if its name exists, if it is the twenty-first, or if its rank or permissions are wrong', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    await made(world, as);
    const save = async (role: object) => {
      const { status, code, issues } = await world.call('role.save', { ...FRONT_DESK, ...role }, as, {
        transport,
      });
      return [status, code, issues[0]?.path.split('.')[0]];
    };
    expect(await save({ name: 'FRONT DESK' })).toEqual([409, 'role_taken', undefined]);
    expect(await save({ name: 'owner' })).toEqual([409, 'role_taken', undefined]);
    expect(await save({ customRoleId: 999_999, name: 'Other' })).toEqual([404, 'not_found', undefined]);
    for (const roleType of [0, 1, 6, 11, 99, -1])
      expect(await save({ name: 'Other', roleType })).toEqual([400, 'invalid_input', 'roleType']);
    for (const permissions of [
      [],
      ['member.list'],
      ['account.read', 'member.manage'],
      ['account.read', 'audit.read'],
    ])
      expect(await save({ name: 'Other', permissions })).toEqual([400, 'invalid_input', 'permissions']);
    expect(await save({ name: 'x'.repeat(61) })).toEqual([400, 'invalid_input', 'name']);
    expect(await save({ name: '\u200b' })).toEqual([400, 'invalid_input', 'name']);
    for (let at = 1; at < 20; at += 1) expect((await save({ name: `No. ${at}` }))[0]).toBe(200);
    expect(await save({ name: 'One more' })).toEqual([409, 'role_limit', undefined]);
    const another = await world.account();
    const elsewhere = await made(world, { token: another.owner.token, accountId: another.id });
    expect(await save({ customRoleId: elsewhere, name: 'Theirs' })).toEqual([404, 'not_found', undefined]);
  });

  it('is created, assigned and held only within what the caller may do', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const head = await made(world, as, {
      name: 'Head of people',
      roleType: 2,
      permissions: ['account.read', 'account.manage', 'member.list', 'member.manage'],
    });
    const payer = await made(world, as, {
      name: 'Payer',
      roleType: 5,
      permissions: ['account.read', 'billing.manage'],
    });
    const ada = await world.member({ memberships: { [accountId]: 5 } });
    const bob = await world.member({ memberships: { [accountId]: 5 } });
    await world.call('membership.changeRole', { memberId: ada.id, customRoleId: head }, as);
    const asAda = { token: ada.token, accountId };
    const give = async (choice: object, memberId = bob.id) =>
      (await world.call('membership.changeRole', { memberId, ...choice }, asAda, { transport })).code;
    expect(await give({ customRoleId: payer })).toBe('permission_denied');
    expect(await give({ roleType: 2 })).toBe('permission_denied');
    expect(await give({ roleType: 5 })).toBe('permission_denied');
    expect(await give({ customRoleId: 999_999 })).toBe('not_found');
    expect(await give({ customRoleId: head })).toBeUndefined();
    expect(await give({ roleType: 1 })).toBe('permission_denied');
    expect(await give({ roleType: 2 }, owner.id)).toBe('permission_denied');
    const write = (permissions: string[]) =>
      world.call('role.save', { name: 'Mine', roleType: 5, permissions }, asAda, { transport });
    expect((await write(['account.read', 'billing.manage'])).code).toBe('permission_denied');
    expect((await write(['account.read', 'member.list'])).status).toBe(200);
  });

  it('is not lowered by a member it outranks', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const permissions = ['account.read', 'account.manage', 'member.list', 'member.manage'];
    const lead = await made(world, as, { name: 'Lead', roleType: 2, permissions });
    const clerk = await made(world, as, { name: 'Clerk', roleType: 5, permissions });
    const ada = await world.member({ memberships: { [accountId]: 5 } });
    const bob = await world.member({ memberships: { [accountId]: 5 } });
    await world.call('membership.changeRole', { memberId: ada.id, customRoleId: clerk }, as);
    await world.call('membership.changeRole', { memberId: bob.id, customRoleId: lead }, as);
    const asAda = { token: ada.token, accountId };
    const remove = async () =>
      (await world.call('membership.remove', { memberId: bob.id }, asAda, { transport })).code;
    expect(await remove()).toBe('permission_denied');
    const down = { customRoleId: lead, name: 'Lead', roleType: 5, permissions: ['account.read'] };
    expect((await world.call('role.save', down, asAda, { transport })).code).toBe('permission_denied');
    expect(await remove()).toBe('permission_denied');
    expect(await place(world, bob.token, accountId)).toMatchObject({ role: 2, permissions });
    const own = { customRoleId: clerk, name: 'Office clerk', roleType: 5, permissions };
    expect((await world.call('role.save', own, asAda, { transport })).status).toBe(200);
  });

  it('is not removed by a member it outranks', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const permissions = ['account.read', 'account.manage'];
    const lead = await made(world, as, { name: 'Lead', roleType: 2, permissions });
    const clerk = await made(world, as, { name: 'Clerk', roleType: 5, permissions });
    const spare = await made(world, as, { name: 'Spare', roleType: 5, permissions });
    const ada = await world.member({ memberships: { [accountId]: 5 } });
    await world.call('membership.changeRole', { memberId: ada.id, customRoleId: clerk }, as);
    const remove = async (customRoleId: number, token: string) => {
      const { status, code } = await world.call(
        'role.remove',
        { customRoleId },
        { token, accountId },
        { transport },
      );
      return [status, code];
    };
    expect(await remove(lead, ada.token)).toEqual([403, 'permission_denied']);
    expect(await remove(spare, ada.token)).toEqual([200, undefined]);
    expect(await remove(lead, owner.token)).toEqual([200, undefined]);
  });

  it('filters the members of the account by its name, as built-in roles do by theirs', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const { id: elsewhere } = await world.account();
    const as = { token: owner.token, accountId };
    const customRoleId = await made(world, as);
    const join = (roleType: number) =>
      world.member({ memberships: { [accountId]: roleType, [elsewhere]: 4 } });
    const [ada, bela, cleo, dora] = [await join(3), await join(5), await join(3), await join(5)];
    for (const memberId of [bela.id, dora.id])
      await world.call('membership.changeRole', { memberId, customRoleId }, as);
    const idsOf = ({ data }: { data: unknown }) => (data as { id: number }[]).map(({ id }) => id);
    const list = async (...roles: string[]) =>
      idsOf(await world.call('member.list', { roles }, as, { transport }));
    expect(await list('Front desk')).toEqual([bela.id, dora.id]);
    expect(await list('Contributor')).toEqual([ada.id, cleo.id]);
    expect(await list('User Member')).toEqual([]);
    expect(await list('Owner', 'Front desk')).toEqual([owner.id, bela.id, dora.id]);
    expect(await list('No such role')).toEqual([]);
    const search = { username: bela.email, roles: ['Front desk'] };
    expect(idsOf(await world.call('member.search', search, as, { transport }))).toEqual([bela.id]);
    const other = { ...search, roles: ['Contributor'] };
    expect(idsOf(await world.call('member.search', other, as, { transport }))).toEqual([]);

    const page = z.object({
      data: z.array(z.object({ id: z.int() })),
      page: z.object({ nextCursor: z.string().nullable() }),
    });
    const found: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `limit=1&roles=Front+desk&roles=Contributor&cursor=${cursor}`;
      const answer = await world.service.send(`/v1/member/list?${query}`, as);
      const {
        data,
        page: { nextCursor },
      } = page.parse(await answer.json());
      expect(data.length).toBeLessThanOrEqual(1);
      found.push(...data.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(found).toEqual([ada.id, bela.id, cleo.id, dora.id]);

    // The paths of the replaced system have no such filter.
    const old = await world.service.send('/getAllMemberslist?roles=Front+desk', as);
    expect(page.parse(await old.json()).data).toHaveLength(5);

    const root = await world.member({ roleType: 0, isPersonnel: true });
    expect(await world.call('member.list', { roles: ['Owner'] }, root, { transport })).toMatchObject({
      status: 400,
      code: 'invalid_input',
      issues: [{ path: 'roles' }],
    });
  });

  it('is removed once no member has it, not even a disabled one', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const customRoleId = await made(world, as);
    const ada = await world.member({ memberships: { [accountId]: 5 } });
    await world.call('membership.changeRole', { memberId: ada.id, customRoleId }, as);
    const remove = async () => {
      const { status, code } = await world.call('role.remove', { customRoleId }, as, { transport });
      return [status, code];
    };
    expect(await remove()).toEqual([409, 'role_in_use']);
    await world.call('membership.changeRole', { memberId: ada.id, roleType: 5 }, as);
    expect(await remove()).toEqual([200, undefined]);
    expect(await remove()).toEqual([404, 'not_found']);
    expect(await place(world, ada.token, accountId)).toMatchObject({
      customRoleId: null,
      roleLabel: 'User Member',
    });
  });
});

it('a stored role with permissions that only owners may have grants none of them', async () => {
  await using world = await startPeopleWorld();
  const { id: accountId, owner } = await world.account();
  const as = { token: owner.token, accountId };
  const customRoleId = await made(world, as);
  const { db } = world;
  const permissions = ['account.read', 'event.manage', 'key.manage', 'app.manage', 'sso.manage'];
  await changeAccess(db, { accounts: [accountId] }, (tx) =>
    tx.write(tx.update(tx.tables.customRoles).set({ permissions })),
  );
  const ada = await world.member({ memberships: { [accountId]: 5 } });
  const given = await world.call('membership.changeRole', { memberId: ada.id, customRoleId }, as);
  expect(given.status).toBe(200);
  expect(await place(world, ada.token, accountId)).toMatchObject({ permissions: ['account.read'] });
  for (const name of ['eventEndpoint.list', 'key.list', 'app.list'])
    expect([name, (await world.call(name, {}, { token: ada.token, accountId })).code]).toEqual([
      name,
      'permission_denied',
    ]);
  for (const permission of ['event.manage', 'key.manage', 'app.manage', 'sso.manage'])
    expect([
      permission,
      (await world.call('role.save', { ...FRONT_DESK, permissions: ['account.read', permission] }, as)).code,
    ]).toEqual([permission, 'invalid_input']);
});
