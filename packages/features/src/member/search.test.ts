import { createApp } from '@gatehouse/api-main/app';
import { changeAccess, findMember, setMemberProfile, shutAccount } from '@gatehouse/db';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { tokenOf } from '../test/token-of.js';
import { nameIndexing } from './name-indexing.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

describe('POST /searchAllMembers', () => {
  it('finds a name whatever its case, width and accents, and pages through all', async () => {
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
    expect(new Set(names).size).toBe(7);
  });

  it('finds somebody who registers at once, and by the new name after a change', async () => {
    await using service = await start();
    const root = await tokenOf(service, 1);
    const found = async (username: string) => {
      const response = await service.send('/searchAllMembers', { token: root, body: { username } });
      return ((await response.json()) as { data: { username: string }[] }).data.map((row) => row.username);
    };
    const registered = await service.send('/register', {
      body: { username: 'Zebulon', email: 'zebulon@quartz.test', password: 'Quartz-Meadow-17' },
    });
    const { userId } = (await registered.json()) as { userId: number };
    expect(await found('BULON')).toEqual(['Zebulon']);
    await changeAccess(service.database, { members: [userId] }, (tx) =>
      setMemberProfile(tx, { memberId: userId, username: 'Quirin', usernameKey: 'quirin', nowMs: 1 }),
    );
    expect(await found('bulon')).toEqual([]);
    expect(await found('uiri')).toEqual(['Quirin']);
  });

  it('finds members who came by an import once the job has learned their names', async () => {
    await using service = await start();
    const root = await tokenOf(service, 1);
    const { id } = await insertTestMember(service.database);
    const username = (await findMember(service.database, id))?.username.slice(1);
    const found = async () => {
      const response = await service.send('/searchAllMembers', { token: root, body: { username } });
      return ((await response.json()) as { data: { id: number }[] }).data.map((row) => row.id);
    };
    expect(await found()).not.toContain(id);
    // One match in the username, one in the last name.
    expect(await nameIndexing.run(service.services)).toBe(2);
    expect(await nameIndexing.run(service.services)).toBe(0);
    expect(await found()).toContain(id);
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
