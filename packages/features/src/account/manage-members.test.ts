import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startPeopleWorld, TRANSPORTS } from '../test/people-world.js';

const MINUTES_11_MS = 11 * 60_000;

describe.each(TRANSPORTS)('the members of an account, over %s,', (transport) => {
  it('have a changed role or none from the next request on, on every node, and get a mail', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, name, owner } = await world.account();
    const ada = await world.member({ memberships: { [accountId]: 2 } });
    const as = { token: owner.token, accountId };
    const asAda = { token: ada.token, accountId };
    const sees = async () => (await world.call('member.list', {}, asAda, { on: world.other })).code;
    expect(await sees()).toBeUndefined();
    const change = () =>
      world.call('membership.changeRole', { memberId: ada.id, roleType: 5 }, as, { transport });
    expect(await change()).toMatchObject({ status: 200, data: { roleType: 5, role: 'User Member' } });
    expect((await change()).status).toBe(200);
    expect(await sees()).toBe('permission_denied');
    const remove = () => world.call('membership.remove', { memberId: ada.id }, as, { transport });
    expect((await remove()).status).toBe(200);
    expect(await sees()).toBe('account_forbidden');
    expect(await remove()).toMatchObject({ status: 404, code: 'not_found' });
    const mails = await readOutbox(world.service);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([
      ['removedFromAccount', ada.email],
      ['roleChanged', ada.email],
    ]);
    expect(mails.every(({ text }) => text.includes(name))).toBe(true);
    const lines = await world.db.select().from(world.db.tables.auditLog);
    expect(lines.filter((line) => line.accountId === accountId).map(({ action }) => action)).toEqual([
      'membership.changed',
      'membership.removed',
    ]);
  });

  it('get mails in their own language, without names that look like links', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account('Visit evil.example now');
    const ada = await world.member({ memberships: { [accountId]: 5 } });
    await world.call('profile.update', { locale: 'de' }, ada);
    const as = { token: owner.token, accountId };
    await world.call('membership.changeRole', { memberId: ada.id, roleType: 2 }, as, { transport });
    const [mail] = await readOutbox(world.service);
    expect(mail).toMatchObject({
      kind: 'roleChanged',
      subject: 'Deine Rolle in einer Organisation wurde geändert',
    });
    expect(mail?.text).toContain('geändert: Manager');
    expect(mail?.text).not.toContain('evil');
  });

  it('can step down and leave by themselves', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId } = await world.account();
    const ada = await world.member({ memberships: { [accountId]: 2 } });
    const as = { token: ada.token, accountId };
    expect(
      (await world.call('membership.changeRole', { memberId: ada.id, roleType: 3 }, as, { transport }))
        .status,
    ).toBe(200);
    expect((await world.call('membership.leave', {}, as, { transport })).status).toBe(200);
    expect(await world.call('membership.leave', {}, as, { transport })).toMatchObject({
      status: 403,
      code: 'account_forbidden',
    });
    expect(await readOutbox(world.service)).toEqual([]);
  });

  it('keep their primary owner until the ownership is transferred, against every caller', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, name, owner } = await world.account();
    const coOwner = await world.member({ memberships: { [accountId]: 1 } });
    const refused = {
      status: 409,
      code: 'sole_owner',
      issues: [
        {
          path: `accounts.${accountId}`,
          message: `The account "${name}" would be left without its primary owner`,
        },
      ],
    };
    for (const { token } of [owner, coOwner]) {
      const as = { token, accountId };
      const demotion = { memberId: owner.id, roleType: 2 };
      expect(await world.call('membership.changeRole', demotion, as, { transport })).toMatchObject(refused);
      expect(await world.call('membership.remove', { memberId: owner.id }, as, { transport })).toMatchObject(
        refused,
      );
    }
    const asOwner = { token: owner.token, accountId };
    expect(await world.call('membership.leave', {}, asOwner, { transport })).toMatchObject(refused);
    await world.call('account.transferOwnership', { memberId: coOwner.id }, asOwner);
    expect((await world.call('membership.leave', {}, asOwner, { transport })).status).toBe(200);
  });

  it('cannot be changed by members they outrank or by strangers; staff, absent and disabled members cannot be changed at all', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const manager = await world.member({ memberships: { [accountId]: 2 } });
    const user = await world.member({ memberships: { [accountId]: 5 } });
    const staff = await world.member({ memberships: { [accountId]: 5 }, isPersonnel: true, roleType: 6 });
    const off = await world.member({ memberships: { [accountId]: 5 } });
    const stranger = await world.member();
    await changeAccess(world.db, { members: [off.id] }, (tx) =>
      setMembership(tx, { memberId: off.id, accountId, roleType: 5, active: false, nowMs: Date.now() }),
    );
    const cases = [
      [manager, owner.id, 403, 'permission_denied'],
      [user, user.id, 403, 'permission_denied'],
      [owner, staff.id, 403, 'permission_denied'],
      [owner, off.id, 404, 'not_found'],
      [owner, stranger.id, 404, 'not_found'],
      [owner, 999_999, 404, 'not_found'],
      [stranger, user.id, 403, 'account_forbidden'],
    ] as const;
    for (const [caller, memberId, status, code] of cases) {
      const as = { token: caller.token, accountId };
      const change = await world.call('membership.changeRole', { memberId, roleType: 5 }, as, { transport });
      expect([memberId, change.status, change.code]).toEqual([memberId, status, code]);
      const removal = await world.call('membership.remove', { memberId }, as, { transport });
      expect([memberId, removal.status, removal.code]).toEqual([memberId, status, code]);
    }
    const as = { token: owner.token, accountId };
    for (const choice of [
      {},
      { roleType: 3, customRoleId: 1 },
      { roleType: 11 },
      { roleType: 99 },
      { roleType: '3' },
    ]) {
      const answer = await world.call('membership.changeRole', { memberId: user.id, ...choice }, as, {
        transport,
      });
      expect([choice, answer.status, answer.code]).toEqual([choice, 400, 'invalid_input']);
    }
  });

  it('become owners only through a caller with a fresh proof', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const ada = await world.member({ memberships: { [accountId]: 2 } });
    world.wait(MINUTES_11_MS);
    const as = { token: owner.token, accountId };
    const give = (roleType: number) =>
      world.call('membership.changeRole', { memberId: ada.id, roleType }, as, { transport });
    expect(await give(1)).toMatchObject({ status: 403, code: 'verification_required' });
    expect(await give(0)).toMatchObject({ status: 403, code: 'verification_required' });
    expect((await give(3)).status).toBe(200);
    const response = await world.service.send('/v1/membership/changeRole', {
      ...as,
      body: { memberId: ada.id, roleType: 1 },
    });
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age=600',
    );
    expect(await response.json()).toMatchObject({
      error: { verification: { level: 1, maxAgeSeconds: 600, methods: ['password'] } },
    });
  });

  it('become owners only by an owner who has proven their address', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId } = await world.account();
    const planter = await world.member({
      isConfirmed: true,
      isProven: false,
      memberships: { [accountId]: 1 },
    });
    const accomplice = await world.member({ memberships: { [accountId]: 2 } });
    const give = (roleType: number) =>
      world.call(
        'membership.changeRole',
        { memberId: accomplice.id, roleType },
        { token: planter.token, accountId },
        { transport },
      );
    for (const roleType of [0, 1])
      expect(await give(roleType)).toMatchObject({ status: 403, code: 'unconfirmed' });
    expect((await give(3)).status).toBe(200);
  });

  it('see their roles in the selected account, and no role when no account is selected', async () => {
    await using world = await startPeopleWorld();
    const { id: accountId, owner } = await world.account();
    const ada = await world.member({ memberships: { [accountId]: 3 } });
    const as = { token: ada.token, accountId };
    const placed = { accountRole: 1, accountRoleLabel: 'Owner', customRoleId: null, isPrimaryOwner: true };
    const found = await world.call('member.search', { username: 'm' }, as, { transport });
    expect(found.data).toContainEqual(expect.objectContaining({ id: owner.id, ...placed }));
    const seen = await world.call('member.detail', { userId: owner.id }, as, { transport });
    expect(seen.data).toMatchObject({ ...placed, joinedAt: expect.stringMatching(/^20/) });
    const without = await world.call('member.detail', { userId: owner.id }, ada, { transport });
    const none = { accountRole: null, accountRoleLabel: null, isPrimaryOwner: null, joinedAt: null };
    expect(without.data).toMatchObject(none);
    const root = await insertTestMember(world.db, { roleType: 0, isPersonnel: true });
    const all = await world.call('member.list', {}, root, { transport });
    expect((all.data as object[])[0]).toMatchObject(none);
  });
});
