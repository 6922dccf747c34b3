import { createApp } from '@gatehouse/api-main/app';
import { changeAccess, removeMembership, setMembership } from '@gatehouse/db';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const GRANTED = Array.from({ length: 20 }, (_, index) => 1_000 + index);

describe('GET /getAllMemberslist for staff with many granted accounts', () => {
  it('shows what each account shows, from memory too, and every change on the next request', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { database, services } = service;
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
    await expect
      .poll(
        async () => {
          expect(await list()).toEqual(people);
          return services.membershipCache.statistics.hits;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);

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
