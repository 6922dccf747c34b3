import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { endMemberAccess, removeMember } from '@gatehouse/db/queries/remove-member';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { tokenOf } from '../test/token-of.js';

const dialect = inject('dialect');

const GRANTED = Array.from({ length: 20 }, (_, index) => 1_000 + index);

describe('GET /getAllMemberslist for staff with many granted accounts', () => {
  it('shows what each account shows, and every change on the next request', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { database } = service;
    await database.insertMany(
      database.tables.accounts,
      GRANTED.map((id) => ({
        id,
        name: `a${id}`,
        nameKey: `a${id}`,
        ownerId: 1,
        createdAtMs: 1,
        updatedAtMs: 1,
      })),
    );
    const people: number[] = [];
    for (const id of GRANTED)
      people.push((await insertTestMember(database, { memberships: { [id]: 5 } })).id);
    const { token } = await insertTestMember(database, { roleType: 3, isPersonnel: true, grants: GRANTED });
    const list = async () => {
      const response = await service.send('/getAllMemberslist?limit=200', { token });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    expect(await list()).toEqual(people);

    const [leaver = 0, stayer = 0] = people;
    const [account = 0] = GRANTED;
    await changeAccess(database, { members: [leaver] }, (tx) =>
      removeMembership(tx, { memberId: leaver, accountId: account, nowMs: 1 }),
    );
    expect(await list()).toEqual(people.slice(1));
    await changeAccess(database, { members: [stayer, 8] }, async (tx) => {
      for (const memberId of [stayer, 8])
        await setMembership(tx, { memberId, accountId: account, roleType: 5, nowMs: 1 });
    });
    expect(await list()).toEqual([8, ...people.slice(1)]);
  });
});

const start = () => startService(createApp, { dialect, application: 'web' });

describe('GET /getUserdetail', () => {
  it('answers with the member at each spelling of the path, without any secret', async () => {
    await using service = await start();
    const token = await tokenOf(service, 4);
    for (const path of ['/getUserdetail5', '/getUserdetail/5', '/GETUSERDETAIL5/', '/getuserdetail/5/']) {
      const response = await service.send(path, { token });
      expect(response.status, path).toBe(200);
      expect(await response.json()).toEqual({
        status: true,
        data: {
          id: 5,
          sid: 'contributor@acme.test',
          username: 'contributor.acme',
          firstName: 'Chiara',
          lastName: 'Novak',
          email: 'contributor@acme.test',
          role_type: 3,
          role: 'Contributor',
          emailVerified: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          accountRole: null,
          accountRoleLabel: null,
          customRoleId: null,
          isPrimaryOwner: null,
          joinedAt: null,
          foreignIds: [],
        },
      });
    }
  });

  it('refuses an invalid id, and a path without one', async () => {
    await using service = await start();
    const token = await tokenOf(service, 1);
    for (const id of ['0', '-1', '1.5', '1e3', 'me', ':5', '5abc', '%2e', '99999999999999999999']) {
      expect((await service.send(`/getUserdetail${id}`, { token })).status, id).toBe(400);
    }
    expect((await service.send('/getUserdetail%ff', { token })).status).toBe(400);
    expect((await service.send('/getUserdetail', { token })).status).toBe(404);
    expect((await service.send('/getUserdetail5', { token, body: {} })).status).toBe(405);
  });

  it('stops showing a member on the request after they leave the account or are deleted', async () => {
    await using service = await start();
    const { database } = service;
    const token = await tokenOf(service, 4);
    const status = async (id: number) => (await service.send(`/getUserdetail${id}`, { token })).status;
    expect([await status(5), await status(6)]).toEqual([200, 200]);
    await changeAccess(database, { members: [5] }, (tx) =>
      removeMembership(tx, { memberId: 5, accountId: 1, nowMs: 1 }),
    );
    await changeAccess(database, { members: [6] }, async (tx) => {
      await endMemberAccess(tx, { memberId: 6, nowMs: 1 });
      await removeMember(tx, { memberId: 6, nowMs: 1 });
    });
    expect([await status(5), await status(6)]).toEqual([404, 404]);
    const root = await tokenOf(service, 1);
    expect((await service.send('/getUserdetail5', { token: root })).status).toBe(200);
    expect((await service.send('/getUserdetail6', { token: root })).status).toBe(404);
  });
});

describe('POST /searchAllMembers', () => {
  it('finds a name whatever its case, width and accents, and pages through all matches', async () => {
    await using service = await start();
    const root = await tokenOf(service, 1);
    const search = async (body: object) => {
      const response = await service.send('/searchAllMembers', { token: root, body });
      return (await response.json()) as { data: { username: string }[]; page: { nextCursor: string | null } };
    };
    for (const username of ['ACME', 'acme', 'ａｃｍｅ', 'áčmé', ' acme ']) {
      expect((await search({ username })).data).toHaveLength(7);
    }
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const { data, page } = await search({ username: 'm', limit: 1, cursor });
      names.push(...data.map((row) => row.username));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const { data: all } = await search({ username: 'm', limit: 200 });
    expect(names).toEqual(all.map((row) => row.username));
    expect(new Set(names).size).toBe(8);
  });

  it('finds a new member immediately, and by the new name after a change', async () => {
    await using service = await start();
    const root = await tokenOf(service, 1);
    const found = async (username: string) => {
      const response = await service.send('/searchAllMembers', { token: root, body: { username } });
      return ((await response.json()) as { data: { username: string }[] }).data.map((row) => row.username);
    };
    const registered = await service.send('/register', {
      body: { username: 'Zebulon', email: 'zoe@quartz.test', password: 'Quartz-Meadow-17' },
    });
    const { userId } = (await registered.json()) as { userId: number };
    expect(await found('BULON')).toEqual(['Zebulon']);
    await changeAccess(service.database, { members: [userId] }, (tx) =>
      setMemberProfile(tx, { memberId: userId, username: 'Quirin', usernameKey: 'quirin', nowMs: 1 }),
    );
    expect(await found('bulon')).toEqual([]);
    expect(await found('uiri')).toEqual(['Quirin']);
  });

  it('finds members of the account by words, and nobody from another account', async () => {
    await using service = await start();
    const manager = await tokenOf(service, 4);
    const found = async (username: string, accountId = 1) => {
      const response = await service.send('/searchAllMembers', {
        token: manager,
        headers: { accountid: String(accountId) },
        body: { username },
      });
      expect([username, response.status]).toEqual([username, 200]);
      return ((await response.json()) as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    for (const text of ['mina sato', 'SATO  Mina', 'ato in', 'member@acme.test', '7 mina'])
      expect([text, await found(text)]).toEqual([text, [7]]);
    // A member of account 2, an owner of another account, and what no field holds.
    for (const text of ['bruno', 'keller bruno', 'carmen', 'owner@birch.test', '%', '_', '\\', '9'])
      expect([text, await found(text)]).toEqual([text, []]);
  });

  it('shows staff without an account no member of a granted account that is deleted', async () => {
    await using service = await start();
    const staff = await tokenOf(service, 2);
    const ids = async (path: string, body?: object) => {
      const response = await service.send(path, { token: staff, ...(body ? { body } : {}) });
      return ((await response.json()) as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    expect(await ids('/getAllMemberslist')).toEqual([3, 8]);
    expect(await ids('/searchAccountUser', { search: '' })).toEqual([2]);
    await changeAccess(service.database, { accounts: [2] }, (tx) =>
      shutAccount(tx, { accountId: 2, closedById: 1, erasesAtMs: 1, nowMs: 1 }),
    );
    expect(await ids('/getAllMemberslist')).toEqual([]);
    expect(await ids('/searchAllMembers', { username: 'o' })).toEqual([]);
    expect(await ids('/searchAccountUser', { search: '' })).toEqual([]);
    expect((await service.send('/getUserdetail8', { token: staff })).status).toBe(404);
  });
});
