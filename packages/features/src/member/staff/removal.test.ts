import { findFirstAccountId } from '@gatehouse/db/queries/start-session';
import { insertTestMember, signIn } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startStaffWorld } from '../../test/staff-world.js';

const codeOf = async (response: Response) =>
  response.status === 200 ? 200 : ((await response.json()) as { error: { code: string } }).error.code;

describe('a deleted account', () => {
  it('is closed to everybody on the next request, and is in no list', async () => {
    await using world = await startStaffWorld();
    const { root, manager, service } = world;
    const owner = await insertTestMember(service.database, { memberships: { 2: 1, 3: 5 } });
    const me = async (as: { token: string }) =>
      codeOf(await service.send('/auth/me', { token: as.token, accountId: 2 }));
    const everybody = [root, manager, owner];
    expect(await Promise.all(everybody.map(me))).toEqual([200, 200, 200]);
    expect((await world.send('/deleteAccount', root, { accountId: 2 })).body).toEqual({
      status: true,
      message: 'The organization has been deleted',
    });
    expect(await Promise.all(everybody.map(me))).toEqual(Array(3).fill('account_forbidden'));
    expect((await world.send('/deleteAccount', root, { accountId: 2 })).code).toBe('not_found');
    for (const path of [
      '/getAccountsList',
      '/getAccountNameList',
      '/searchAccountUser',
      '/getAllOwnerList',
    ]) {
      expect(JSON.stringify((await world.send(path, root)).body)).not.toContain('Birch');
    }
    const { grants } = (await world.send(`/getPersonnel/${manager.id}`, root)).body['data'] as {
      grants: unknown[];
    };
    expect(grants).toEqual([]);
    expect(
      await findFirstAccountId(service.database, { id: owner.id, roleType: 5, isPersonnel: false }, null),
    ).toBe(3);
    const again = { memberId: owner.id, accountId: 2, roleType: 5 };
    expect((await world.call('membership.save', again, root)).code).toBe('not_found');
    const grant = { personnelId: manager.id, accountIds: [2] };
    expect((await world.call('personnel.save', grant, root)).code).toBe('invalid_input');
  });
});

describe('a deleted member', () => {
  it('is gone from every sign-in and list, and their address and username stay reserved', async () => {
    await using world = await startStaffWorld();
    const { root, service } = world;
    const staff = await signIn(service, 'staff@gatehouse.test');
    await world.send('/addOrUpdateAffiliateDetails', root, {
      memberId: 2,
      code: 'GONE',
      commissionPercent: 1,
      payoutEmail: 'a@b.test',
    });
    expect((await world.send('/deleteUser', root, { userId: 2 })).body).toEqual({
      status: true,
      message: 'The member is deleted',
    });
    expect((await world.send('/auth/me', staff)).status).toBe(401);
    const login = { email: 'staff@gatehouse.test', password: 'Lantern-Harbor-42' };
    for (const path of ['/webauthenticate', '/authenticate']) {
      expect((await service.send(path, { body: login })).status).toBe(401);
    }
    expect((await world.send('/deleteUser', root, { userId: 2 })).code).toBe('not_found');
    for (const [name, input] of [
      ['personnel.detail', { personnelId: 2 }],
      ['personnel.save', { personnelId: 2, active: true }],
      ['personnel.promote', { memberId: 2 }],
      ['member.update', { memberId: 2, firstName: 'Back' }],
      ['member.ban', { memberId: 2 }],
      ['membership.save', { memberId: 2, accountId: 2, roleType: 5 }],
      ['affiliate.marketingUrl', { affiliateId: 2 }],
      ['session.listFor', { memberId: 2 }],
    ] as const) {
      expect([name, (await world.call(name, input, root)).code]).toEqual([name, 'not_found']);
    }
    const lists = [
      '/searchUser?search=staff',
      '/searchAccountManagers?search=staff',
      '/searchAffiliatePeople',
    ];
    for (const path of lists) expect((await world.send(path, root)).body).toMatchObject({ data: [] });
    const successor = { email: 'STAFF@gatehouse.test', firstName: 'New', lastName: 'Staff', role_type: 6 };
    expect((await world.send('/addOrUpdatePersonnel', root, successor)).code).toBe('email_taken');
    expect((await world.send('/updateProfile', root, { username: 'Staff.Gatehouse' })).code).toBe(
      'username_taken',
    );
  });
});

describe('a deletion of a member', () => {
  it("deletes the member's provider tokens, and does not affect another member's", async () => {
    await using world = await startStaffWorld();
    const { root, member, service } = world;
    const { database } = service;
    const { socialConnections } = database.tables;
    const tokens = { accessToken: 'sealed', refreshToken: 'sealed', tokenStatus: 'valid' } as const;
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    await database.insertMany(
      socialConnections,
      [member.id, 9].flatMap((memberId) =>
        [1, 3].map((providerId) => ({
          memberId,
          providerId,
          providerUserId: `${memberId}`,
          ...tokens,
          ...times,
        })),
      ),
    );
    expect((await world.send('/deleteUser', root, { userId: member.id })).status).toBe(200);
    const rows = await database.select().from(socialConnections);
    const kept = rows.filter(
      ({ accessToken, refreshToken }) => accessToken !== null || refreshToken !== null,
    );
    expect(kept.map(({ memberId }) => memberId)).toEqual([9, 9]);
    expect(rows).toHaveLength(4);
  });
});

describe('unlocking', () => {
  it('readmits a member who failed too often', async () => {
    await using world = await startStaffWorld();
    const { service, root } = world;
    const login = async (password: string) =>
      (await service.send('/webauthenticate', { body: { email: 'staff@gatehouse.test', password } })).status;
    const failures = await Promise.all(Array.from({ length: 22 }, () => login('wrong-password')));
    expect(failures).toContain(429);
    expect(await login('Lantern-Harbor-42')).toBe(429);
    expect((await world.call('member.unlock', { memberId: 2 }, root)).status).toBe(200);
    expect(await login('Lantern-Harbor-42')).toBe(200);
  });

  it('unlocks what a hundred wrong passwords in a row have locked, at every address', async () => {
    await using world = await startStaffWorld();
    const { service, root } = world;
    const { loginFailures } = service.database.tables;
    const row = { holder: 'member:2', origin: '', waitUntilMs: 0, failures: 100, lastFailureAtMs: 0 };
    await service.database.insert(loginFailures, row);
    for (const path of ['/authenticate', '/webauthenticate']) {
      const body = { email: 'staff@gatehouse.test', password: 'Lantern-Harbor-42' };
      expect((await service.send(path, { body })).status).toBe(429);
    }
    expect((await world.call('member.unlock', { memberId: 2 }, root)).status).toBe(200);
    expect((await signIn(service, 'staff@gatehouse.test')).userId).toBe(2);
  });

  it('and ending sessions affect only the named member', async () => {
    await using world = await startStaffWorld();
    const { root, member, service } = world;
    const other = await insertTestMember(service.database, { memberships: { 2: 5 } });
    const list = await world.call('session.listFor', { memberId: member.id }, world.manager);
    const [session] = list.body['data'] as { id: number; isCurrent: boolean }[];
    expect(list.body['data']).toMatchObject([
      { kind: 'session', device: 'test', address: '127.0.0.1', isCurrent: false },
    ]);
    expect(JSON.stringify(list.body)).not.toMatch(/[0-9a-f]{32}/);
    const foreign = { memberId: other.id, sessionId: session?.id };
    expect((await world.call('session.endFor', foreign, root)).code).toBe('not_found');
    expect((await world.send('/auth/me', member)).status).toBe(200);
    const own = { memberId: member.id, sessionId: session?.id };
    expect((await world.call('session.endFor', own, world.manager)).status).toBe(200);
    expect((await world.send('/auth/me', member)).status).toBe(401);
    expect((await world.send('/auth/me', other)).status).toBe(200);
    expect((await world.call('session.endFor', own, world.manager)).code).toBe('not_found');
  });
});
