import { type StaffWorld, startStaffWorld } from '@gatehouse/features/test/staff-world';
import { insertTestMember, signIn } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

/** Every list and search, with texts that match anybody, over REST. */
const LISTS = [
  '/getAllOwnerList',
  '/getAllOwnerList?search=',
  '/getAccountsList',
  '/getAccountNameList?searchUser=',
  '/getAccountNameList?searchUser=a',
  '/searchAccountUser?search=',
  '/searchAccountUser?search=a',
  '/searchUser?search=',
  '/searchUser?search=test',
  '/searchAccountManagers?search=',
  '/searchAffiliatePeople?search=',
  '/getAlltAccountMembers/3/0/a',
  '/getAlltAccountMembers/8/0/b',
  '/getAlltAccountMembers/9/0/a',
  '/getAlltAccountMembers/9/1/a',
];

/** The accounts, and the members of each who are not in account 2. */
const FOREIGN_ACCOUNTS = [1, 3];
const FOREIGN_MEMBERS = [4, 5, 6, 7, 9, 10, 11];

async function listIds(world: StaffWorld, path: string, as: { token: string }): Promise<number[]> {
  const { status, body } = await world.send(path, as);
  expect([path, status]).toEqual([path, 200]);
  return (body['data'] as { id: number }[]).map(({ id }) => id);
}

async function makeAffiliates(world: StaffWorld): Promise<void> {
  for (const [memberId, code] of [
    [8, 'BIRCH'],
    [9, 'CEDAR'],
    [4, 'ACME'],
  ] as const) {
    const affiliate = { memberId, code, commissionPercent: 10, payoutEmail: 'pay@out.test' };
    expect((await world.send('/addOrUpdateAffiliateDetails', world.root, affiliate)).status).toBe(200);
  }
}

describe('staff with a grant on account 2', () => {
  it('see account 2 in every list and search, and nothing of accounts 1 and 3', async () => {
    await using world = await startStaffWorld();
    await makeAffiliates(world);
    for (const path of LISTS) {
      const ids = await listIds(world, path, world.manager);
      const foreign = /account(slist|namelist|user)/i.test(path) ? FOREIGN_ACCOUNTS : FOREIGN_MEMBERS;
      expect([path, ids.filter((id) => foreign.includes(id))]).toEqual([path, []]);
    }
    expect(await listIds(world, '/getAccountsList', world.manager)).toEqual([2]);
    expect(await listIds(world, '/getAllOwnerList', world.manager)).toEqual([8]);
    expect(await listIds(world, '/searchUser', world.manager)).toEqual([3, 8, world.member.id]);
    expect(await listIds(world, '/searchAffiliatePeople', world.manager)).toEqual([8]);
    expect(await listIds(world, '/searchAccountManagers', world.manager)).toEqual([2, world.manager.id]);
  });

  it('can neither read nor change anything in accounts 1 and 3', async () => {
    await using world = await startStaffWorld();
    await makeAffiliates(world);
    const elsewhere = await insertTestMember(world.service.database, {
      roleType: 6,
      isPersonnel: true,
      grants: [1],
    });
    const { manager } = world;
    const attempts: [name: string, input: object][] = [
      ['personnel.detail', { personnelId: elsewhere.id }],
      ['personnel.detail', { personnelId: 1 }],
      ['affiliate.marketingUrl', { affiliateId: 9 }],
      ['affiliate.save', { memberId: 9, code: 'TAKEOVER', commissionPercent: 1, payoutEmail: 'me@me.test' }],
      ['member.update', { memberId: 7, firstName: 'Mine' }],
      ['member.ban', { memberId: 7 }],
      ['member.unlock', { memberId: 9 }],
      ['session.listFor', { memberId: 9 }],
      ['session.endFor', { memberId: 9 }],
      ['membership.save', { memberId: world.member.id, accountId: 1, roleType: 5 }],
      ['membership.save', { memberId: 7, accountId: 2, roleType: 5 }],
      ['membership.remove', { memberId: 7, accountId: 1 }],
    ];
    for (const [name, input] of attempts) {
      const { code } = await world.call(name, input, manager);
      expect([name, input, code]).toEqual([name, input, 'not_found']);
    }
    const analysis = { accountId: 1, languageModelId: 1, topic: 'secrets' };
    expect((await world.call('knowledge.analyze', analysis, manager)).code).toBe('account_forbidden');
    for (const accountId of [1, 3, 999_999]) {
      const response = await world.service.send('/getAccountsList', { token: manager.token, accountId });
      expect([accountId, response.status]).toEqual([accountId, 403]);
    }
  });

  it('see only those grants of a colleague that are for account 2', async () => {
    await using world = await startStaffWorld();
    const colleague = await insertTestMember(world.service.database, {
      roleType: 6,
      isPersonnel: true,
      grants: [1, 2, 3],
    });
    const { body } = await world.call('personnel.detail', { personnelId: colleague.id }, world.manager);
    const { grants } = body['data'] as { grants: unknown[] };
    expect(grants).toEqual([{ accountId: 2, accountName: 'Birch & Co', active: true }]);
    const members = await world.call(
      'account.members',
      { ownerId: 3, personnelId: colleague.id },
      world.manager,
    );
    expect(members.body['data']).toEqual([]);
    const own = await world.call('account.members', { ownerId: 3, personnelId: colleague.id }, world.root);
    expect((own.body['data'] as unknown[]).length).toBe(7);
  });

  it('lose the account on the next request after the grant is removed or switched off, or the account is deleted', async () => {
    await using world = await startStaffWorld();
    const { root } = world;
    let { manager }: { manager: { id: number; email: string; token: string } } = world;
    const seen = () => listIds(world, '/getAccountsList', manager);
    /** Changed grants change the authority, which ends the session. */
    const save = async (change: object) => {
      const saved = await world.call('personnel.save', { personnelId: manager.id, ...change }, root);
      expect(saved.status).toBe(200);
      expect((await world.send('/getAccountsList', manager)).status).toBe(401);
    };
    const signInAgain = async () => {
      manager = { ...manager, token: (await signIn(world.service, manager.email)).token };
    };

    await save({ accountIds: [] });
    await signInAgain();
    expect(await seen()).toEqual([]);
    expect(await listIds(world, '/searchUser', manager)).toEqual([]);
    await save({ accountIds: [2, 3] });
    await signInAgain();
    expect(await seen()).toEqual([2, 3]);
    expect((await world.call('account.remove', { accountId: 2 }, root)).status).toBe(200);
    expect(await seen()).toEqual([3]);
    expect(await listIds(world, '/searchUser', manager)).toEqual([9]);
    await save({ active: false });
  });
});

describe('a search', () => {
  it('treats wildcards, spaces and quotes as text', async () => {
    await using world = await startStaffWorld();
    for (const text of ['%', '_', '%%', '!', '!%', '\\', "'", '"', "' OR 1=1 --", '*', '?']) {
      const search = encodeURIComponent(text);
      for (const path of [
        `/searchUser?search=${search}`,
        `/getAllOwnerList?search=${search}`,
        `/searchAccountUser?search=${search}`,
        `/getAccountNameList?searchUser=${search}`,
        `/searchAccountManagers?search=${search}`,
        `/getAlltAccountMembers/3/0/${search}`,
      ]) {
        expect([path, await listIds(world, path, world.root)]).toEqual([path, []]);
      }
    }
  });

  it('ignores case, width and accents, and refuses text that cannot be stored', async () => {
    await using world = await startStaffWorld();
    for (const text of ['OLIVIA', 'oli', 'ｏｌｉｖ', 'Ólivia', 'OWNER@ACME.test', 'owner.ac']) {
      expect([
        text,
        await listIds(world, `/searchUser?search=${encodeURIComponent(text)}`, world.root),
      ]).toEqual([text, [3]]);
    }
    for (const search of ['a\0b', '\ud800', 'x'.repeat(201), ['a'], { a: 1 }, 5]) {
      expect((await world.send('/searchUser', world.root, { search })).status).toBe(400);
    }
  });

  it('neither loses nor repeats anybody from page to page', async () => {
    await using world = await startStaffWorld();
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await world.call('member.owners', { limit: 1, cursor }, world.root);
      seen.push(...(body['data'] as { id: number }[]).map(({ id }) => id));
      cursor = (body['page'] as { nextCursor: string | null }).nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([3, 8, 9]);
    expect((await world.call('member.owners', { cursor: 'bm9uc2Vuc2U' }, world.root)).status).toBe(400);
    const { body } = await world.call('member.search', { limit: 100_000 }, world.root);
    expect(body['page']).toMatchObject({ limit: 200 });
  });
});
