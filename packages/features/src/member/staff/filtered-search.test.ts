import { changeAccess, deleteOwnMember } from '@gatehouse/db';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

async function search(
  world: StaffWorld,
  input: object,
  as = world.root,
): Promise<{ ids: number[]; more: number }> {
  const { status, body } = await world.call('member.search', input, as);
  expect([input, status]).toEqual([input, 200]);
  const { data, more } = body as unknown as { data: { id: number }[]; more: number };
  return { ids: data.map(({ id }) => id), more };
}

describe('a search of members by staff', () => {
  it('is narrowed down by state, and finds deleted members by their state alone', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const { id } = await insertTestMember(database, { memberships: { 2: 5 } });
    const nowMs = Date.now();
    await changeAccess(database, { members: [id] }, (tx) =>
      deleteOwnMember(tx, { memberId: id, erasesAtMs: nowMs + 1_000_000, nowMs }),
    );
    expect((await search(world, { state: 'banned' })).ids).toEqual([10]);
    expect((await search(world, { state: 'live' })).ids).not.toContain(10);
    expect((await search(world, {})).ids).toContain(10);
    expect((await search(world, {})).ids).not.toContain(id);
    for (const as of [world.root, world.manager]) {
      expect((await search(world, { state: 'deleting' }, as)).ids).toEqual([id]);
      expect((await search(world, { state: 'deleting', search: String(id) }, as)).ids).toEqual([id]);
      expect((await search(world, { state: 'deleted' }, as)).ids).toEqual([]);
    }
    expect((await search(world, { state: 'banned' }, world.manager)).ids).toEqual([]);
    const rest = await world.send('/searchUser?state=deleting', world.root);
    expect((rest.body['data'] as unknown[]).length).toBe(1);
    expect((await world.send('/searchUser?state=gone', world.root)).status).toBe(400);
  });

  it('is narrowed down by partner and base role', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    for (const memberId of [8, 9])
      await database.insert(database.tables.partnerMembers, {
        partnerId: 1,
        memberId,
        linkedAtMs: Date.now(),
      });
    expect((await search(world, { partnerId: 1 })).ids).toEqual([8, 9]);
    expect((await search(world, { partnerId: 1 }, world.manager)).ids).toEqual([8]);
    expect((await search(world, { partnerId: 2 })).ids).toEqual([]);
    expect((await search(world, { roleType: 4 })).ids).toEqual([6]);
    expect((await search(world, { roleType: 1, search: 'cedar' })).ids).toEqual([9]);
    expect((await search(world, { roleType: 11 })).ids).toEqual([10]);
    expect((await search(world, { roleType: 11, state: 'live' })).ids).toEqual([]);
    const rest = await world.send('/searchUser?partnerId=1&role_type=1', world.root);
    expect((rest.body['data'] as { id: number }[]).map((each) => each.id)).toEqual([8, 9]);
  });

  it('says how many more there are than it shows, of what the caller may see', async () => {
    await using world = await startStaffWorld();
    const all = await search(world, {});
    expect(all.more).toBe(0);
    expect((await search(world, { limit: 3 })).more).toBe(all.ids.length - 3);
    expect((await search(world, { limit: 1, search: 'acme' })).more).toBe(6);
    expect((await search(world, { limit: 1 }, world.manager)).more).toBe(2);
    expect((await search(world, { limit: 1, search: 'acme' }, world.manager)).more).toBe(0);
    const { body } = await world.call('account.search', { limit: 1 }, world.root);
    expect(body).toMatchObject({ more: 2, data: [{ id: 1 }] });
    expect((await world.call('account.search', { limit: 1 }, world.manager)).body).toMatchObject({ more: 0 });
  });
});
