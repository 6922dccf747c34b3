import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

async function list(world: StaffWorld, input: object = {}, as = world.root) {
  const { status, body } = await world.call('personnel.list', input, as);
  expect([input, status]).toEqual([input, 200]);
  return body['data'] as {
    id: number;
    active: boolean;
    grants: { accountId: number }[];
    lastLoginAt: string;
  }[];
}

it('the list of personnel has staff with their grants, and those who were switched off', async () => {
  await using world = await startStaffWorld();
  const { manager, root, service } = world;
  const away = await insertTestMember(service.database, { roleType: 6, isPersonnel: true, grants: [1, 3] });
  expect((await world.call('personnel.save', { personnelId: away.id, active: false }, root)).status).toBe(
    200,
  );
  const all = await list(world);
  expect(all.map(({ id }) => id)).toEqual([1, 2, root.id, manager.id, away.id]);
  expect(all.find(({ id }) => id === 2)).toMatchObject({
    active: true,
    grants: [{ accountId: 2, accountName: 'Birch & Co', active: true }],
  });
  expect(all.find(({ id }) => id === away.id)).toMatchObject({
    active: false,
    grants: [{ accountId: 1 }, { accountId: 3 }],
  });
  expect(all.find(({ id }) => id === manager.id)?.lastLoginAt).toMatch(/^\d{4}-/);
  expect((await list(world, { search: 'lindqvist' })).map(({ id }) => id)).toEqual([2]);
  expect((await list(world, { search: 'owner@acme' })).map(({ id }) => id)).toEqual([]);
  expect((await list(world, { limit: 2 })).map(({ id }) => id)).toEqual([1, 2]);
});

it('the list of personnel shows staff with grants themselves and those who share a grant, with only that grant', async () => {
  await using world = await startStaffWorld();
  const both = await insertTestMember(world.service.database, {
    roleType: 6,
    isPersonnel: true,
    grants: [1, 2],
  });
  await insertTestMember(world.service.database, { roleType: 6, isPersonnel: true, grants: [3] });
  const seen = await list(world, {}, world.manager);
  expect(seen.map(({ id }) => id)).toEqual([2, world.manager.id, both.id]);
  expect(seen.at(-1)?.grants.map(({ accountId }) => accountId)).toEqual([2]);
});
