import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TRANSPORTS } from '../../test/people-world.js';
import { startSupportWorld } from '../../test/support-world.js';

const withId = z.object({ id: z.int() });

const FRONT_DESK = { name: 'Front desk', roleType: 5, permissions: ['account.read', 'member.list'] };

describe.each(TRANSPORTS)('staff, over %s,', (transport) => {
  it('make, change and remove roles of an account, which apply from the next request of their members on', async () => {
    await using world = await startSupportWorld();
    const as = { token: world.root.token, accountId: 2 };
    const call = (name: string, input: object, how = {}) =>
      world.call(name, input, as, { transport, ...how });
    const made = await call('role.save', FRONT_DESK);
    expect([made.status, made.data]).toMatchObject([200, { ...FRONT_DESK, isBuiltIn: false }]);
    const { id: customRoleId } = withId.parse(made.data);
    expect((await call('role.save', { ...FRONT_DESK, name: 'FRONT DESK' })).code).toBe('role_taken');

    const owner = await world.member({ memberships: { 2: 1 } });
    const asOwner = { token: owner.token, accountId: 2 };
    const ada = await world.member({ memberships: { 2: 5 } });
    const asAda = { token: ada.token, accountId: 2 };
    const onMain = { transport, on: world.main };
    await world.call('membership.changeRole', { memberId: ada.id, customRoleId }, asOwner, onMain);
    expect((await world.call('member.list', {}, asAda, onMain)).status).toBe(200);
    const narrower = { customRoleId, name: 'Desk', roleType: 4, permissions: ['account.read'] };
    expect((await call('role.save', narrower, { on: world.otherAdmin })).status).toBe(200);
    expect((await world.call('member.list', {}, asAda, onMain)).code).toBe('permission_denied');

    expect((await call('role.remove', { customRoleId })).code).toBe('role_in_use');
    await world.call('membership.changeRole', { memberId: ada.id, roleType: 5 }, asOwner, onMain);
    expect((await call('role.remove', { customRoleId })).status).toBe(200);
    expect((await call('role.remove', { customRoleId })).code).toBe('not_found');
    const lines = await world.call('audit.list', { accountId: 2, actorId: world.root.id }, world.root);
    expect(lines.data).toMatchObject([
      { action: 'role.removed', subjectId: String(customRoleId) },
      { action: 'role.changed', after: { name: 'Desk', roleType: 4 } },
      { action: 'role.made', after: { name: 'Front desk' } },
    ]);
  });

  it('who do not manage the account cannot create roles, nor can its owner at the service for staff', async () => {
    await using world = await startSupportWorld();
    const owner = await world.member({ memberships: { 2: 1 } });
    const made = await world.call('role.save', FRONT_DESK, { ...world.root, accountId: 2 });
    const { id: customRoleId } = withId.parse(made.data);
    const elsewhere = { token: world.root.token, accountId: 1 };
    for (const [name, input] of [
      ['role.save', { ...FRONT_DESK, customRoleId, name: 'Theirs' }],
      ['role.remove', { customRoleId }],
    ] as const) {
      const refusal = async (token: string, accountId: number) =>
        (await world.call(name, input, { token, accountId }, { transport })).code;
      expect([name, await refusal(owner.token, 2)]).toEqual([name, 'permission_denied']);
      expect([name, await refusal(world.manager.token, 2)]).toEqual([name, 'permission_denied']);
      expect([name, await refusal(world.manager.token, 1)]).toEqual([name, 'account_forbidden']);
      expect([name, await refusal(elsewhere.token, elsewhere.accountId)]).toEqual([name, 'not_found']);
    }
  });
});
