import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { findFirstAccountId } from '@gatehouse/db/queries/start-session';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

const COLLEAGUE = {
  email: 'Nora@Gatehouse.test',
  firstName: 'Nora',
  lastName: 'Lind',
  role_type: 6,
  accountIds: [3, 2, 2],
};

const countRows = async ({ service: { database } }: StaffWorld) => {
  const { members, personnelGrants, mailOutbox } = database.tables;
  const counts = await Promise.all([
    database.select({ id: members.id }).from(members),
    database.select({ id: personnelGrants.id }).from(personnelGrants),
    database.select({ id: mailOutbox.id }).from(mailOutbox),
  ]);
  return counts.map((rows) => rows.length);
};

describe('adding a member of staff', () => {
  it('creates member, grants and invitation together, and shows them without any secret', async () => {
    await using world = await startStaffWorld();
    const { status, body } = await world.send('/addOrUpdatePersonnel', world.root, COLLEAGUE);
    expect(status).toBe(200);
    const data = body['data'] as { id: number };
    expect(data).toEqual({
      id: data.id,
      sid: 'nora@gatehouse.test',
      username: 'nora',
      firstName: 'Nora',
      lastName: 'Lind',
      email: 'nora@gatehouse.test',
      role_type: 6,
      baseRole: 6,
      role: 'Account Manager',
      emailVerified: false,
      pendingEmail: null,
      createdAt: expect.any(String) as string,
      active: true,
      grants: [
        { accountId: 2, accountName: 'Birch & Co', active: true },
        { accountId: 3, accountName: 'Cedar Labs', active: true },
      ],
    });
    expect((await world.send(`/getPersonnel/${data.id}`, world.root)).body['data']).toEqual(data);
    const stored = await findCredentialById(world.service.database, data.id);
    expect(stored?.password).toMatch(/^\$2b\$10\$/);
    const { mailOutbox } = world.service.database.tables;
    const mails = await world.service.database
      .select({ kind: mailOutbox.kind, to: mailOutbox.recipient })
      .from(mailOutbox);
    expect(mails).toEqual([{ kind: 'staffInvitation', to: 'nora@gatehouse.test' }]);
  });

  it('leaves nothing behind when the address is taken or an account does not exist', async () => {
    await using world = await startStaffWorld();
    const before = await countRows(world);
    for (const [change, code] of [
      [{ email: 'owner@birch.test' }, 'email_taken'],
      [{ email: ' OWNER@BIRCH.TEST' }, 'email_taken'],
      [{ accountIds: [2, 999_999] }, 'invalid_input'],
      [{ role_type: 11 }, 'invalid_input'],
      [{ role_type: 99 }, 'invalid_input'],
      [{ email: undefined }, 'invalid_input'],
      [{ firstName: '' }, 'invalid_input'],
      [{ lastName: 'a\r\nb' }, 'invalid_input'],
      [{ accountIds: 'all' }, 'invalid_input'],
    ] as const) {
      const answer = await world.send('/addOrUpdatePersonnel', world.root, { ...COLLEAGUE, ...change });
      expect([change, answer.code]).toEqual([change, code]);
    }
    expect(await countRows(world)).toEqual(before);
  });

  it('creates one member from ten concurrent calls with the same address', async () => {
    await using world = await startStaffWorld();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        world.send('/addOrUpdatePersonnel', world.root, {
          ...COLLEAGUE,
          email: index % 2 === 0 ? 'nora@gatehouse.test' : 'NORA@gatehouse.test',
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'email_taken')).toHaveLength(9);
  });
});

describe('changing a member of staff', () => {
  it('changes what is sent and leaves the rest', async () => {
    await using world = await startStaffWorld();
    const change = (fields: object) =>
      world.send('/addOrUpdatePersonnel', world.root, { personnelId: 2, ...fields });
    expect((await change({ firstName: 'Sven' })).body['data']).toMatchObject({
      firstName: 'Sven',
      lastName: 'Lindqvist',
      role_type: 6,
      active: true,
      grants: [{ accountId: 2 }],
    });
    expect((await change({ accountIds: [1] })).body['data']).toMatchObject({
      firstName: 'Sven',
      grants: [{ accountId: 1 }],
    });
    expect((await change({ role_type: 0 })).body['data']).toMatchObject({ role_type: 0, role: 'Admin' });
    expect((await change({ email: 'sven@gatehouse.test' })).body['data']).toMatchObject({
      email: 'staff@gatehouse.test',
      pendingEmail: 'sven@gatehouse.test',
    });
    expect((await change({ accountIds: [1, 999_999], firstName: 'Nobody' })).code).toBe('invalid_input');
    expect((await change({})).body['data']).toMatchObject({ firstName: 'Sven', grants: [{ accountId: 1 }] });
  });

  it('switches staff off and on again, with role and grants kept in between', async () => {
    await using world = await startStaffWorld();
    const { manager, root, service } = world;
    const issued = await world.send('/auth/apiToken', manager, {});
    const bearer = String(issued.body['token']);
    expect((await service.send('/me', { bearer })).status).toBe(200);
    const off = await world.send('/addOrUpdatePersonnel', root, { personnelId: manager.id, active: false });
    expect(off.body['data']).toMatchObject({
      active: false,
      role_type: 6,
      grants: [{ accountId: 2, active: false }],
    });
    expect((await world.send('/auth/me', manager)).status).toBe(401);
    expect((await service.send('/me', { bearer })).status).toBe(401);
    const snapshot = { id: manager.id, roleType: 6, isPersonnel: true };
    expect(await findFirstAccountId(service.database, snapshot, null)).toBeNull();
    const on = await world.send('/addOrUpdatePersonnel', root, { personnelId: manager.id, active: true });
    expect(on.body['data']).toMatchObject({ active: true, grants: [{ accountId: 2, active: true }] });
    expect((await service.send('/me', { bearer })).status).toBe(401);
  });

  it('does not find a member who was never staff', async () => {
    await using world = await startStaffWorld();
    const asStaff = { personnelId: world.member.id, role_type: 0 };
    expect((await world.send('/addOrUpdatePersonnel', world.root, asStaff)).code).toBe('not_found');
    expect((await world.send(`/getPersonnel/${world.member.id}`, world.root)).code).toBe('not_found');
  });

  it('promotes a member to account manager, whose rights apply from the next sign-in on', async () => {
    await using world = await startStaffWorld();
    const { root } = world;
    const member = await insertTestMember(world.service.database, { isProven: true });
    const again = async () => ({ token: await member.signInAgain() });
    expect((await world.send('/getAccountsList', member)).code).toBe('permission_denied');
    const { body } = await world.send('/NewAccManager', root, { memberId: member.id });
    expect(body['data']).toMatchObject({
      id: member.id,
      role_type: 6,
      role: 'Account Manager',
      active: true,
      grants: [],
    });
    expect((await world.send('/auth/me', member)).status).toBe(401);
    expect((await world.send('/getAccountsList', await again())).body).toMatchObject({ data: [] });
    await world.call('personnel.save', { personnelId: member.id, accountIds: [3] }, root);
    expect((await world.send('/getAccountsList', await again())).body).toMatchObject({ data: [{ id: 3 }] });
    expect((await world.send('/NewAccManager', root, { memberId: 10 })).code).toBe('invalid_input');
  });
});

describe('affiliates', () => {
  const terms = { memberId: 8, code: 'Birch-10', commissionPercent: 12.5, payoutEmail: 'pay@birch.test' };

  it('are added and changed by the id of their member, and have a marketing URL while active', async () => {
    await using world = await startStaffWorld();
    const { manager } = world;
    const added = await world.send('/addOrUpdateAffiliateDetails', manager, terms);
    expect(added.body['data']).toMatchObject({ id: 8, ...terms, active: true, username: 'owner.birch' });
    const url = 'http://app.gatehouse.test/register?ref=Birch-10';
    expect((await world.send('/getAffiliateMarketingURL/8', manager)).body).toEqual({ status: true, url });
    const off = { ...terms, affiliateId: 8, commissionPercent: 0.07, active: false };
    expect((await world.send('/addOrUpdateAffiliateDetails', manager, off)).body['data']).toMatchObject({
      commissionPercent: 0.07,
      active: false,
      marketingUrl: null,
    });
    expect((await world.send('/getAffiliateMarketingURL/8', manager)).code).toBe('not_found');
    expect((await world.send('/searchAffiliatePeople?search=BIRCH-1', manager)).body).toMatchObject({
      data: [{ id: 8 }],
    });
    expect((await world.send('/searchAffiliatePeople?search=nobody', manager)).body).toMatchObject({
      data: [],
    });
  });

  it('have a unique code, regardless of case', async () => {
    await using world = await startStaffWorld();
    await world.send('/addOrUpdateAffiliateDetails', world.root, terms);
    const second = { ...terms, memberId: 9, code: 'BIRCH-10' };
    expect((await world.send('/addOrUpdateAffiliateDetails', world.root, second)).code).toBe('code_taken');
    for (const change of [
      { code: 'a' },
      { code: 'a b c' },
      { code: '../../x' },
      { commissionPercent: 100.01 },
      { commissionPercent: -1 },
      { commissionPercent: 1.005 },
      { commissionPercent: '1e309' },
      { payoutEmail: 'nobody' },
      { affiliateId: 9 },
    ]) {
      const answer = await world.send('/addOrUpdateAffiliateDetails', world.root, { ...terms, ...change });
      expect([change, answer.code]).toEqual([change, 'invalid_input']);
    }
  });
});
