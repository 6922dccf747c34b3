import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

async function insertKnown({ service: { database } }: StaffWorld, id: string, accountId: number) {
  const member = await insertTestMember(database, {
    withSession: false,
    memberships: { [accountId]: 5 },
  });
  const known = { kind: 'member', source: 'auth0', foreignId: id } as const;
  await database.insert(database.tables.foreignIds, { ...known, memberId: member.id, createdAtMs: 1 });
  return member;
}

it('staff find a member by the id of another system, which the member page and a search show too', async () => {
  await using world = await startStaffWorld();
  const member = await insertKnown(world, 'auth0|5f7c8ec7c33c6c004bbafe82', 1);
  const input = { source: 'auth0', id: 'auth0|5f7c8ec7c33c6c004bbafe82' };
  const query = new URLSearchParams(input);
  expect((await world.send(`/v1/member/byForeignId?${query}`, world.root)).body['data']).toMatchObject({
    id: member.id,
  });
  for (const other of [
    { ...input, source: 'csv' },
    { ...input, id: input.id.toUpperCase() },
  ])
    expect(await world.call('member.byForeignId', other, world.root)).toMatchObject({ status: 404 });
  const page = await world.call('member.page', { memberId: member.id }, world.root);
  expect(page.body['data']).toMatchObject({ foreignIds: [input] });
  const found = await world.call('member.search', { search: ` ${input.id}` }, world.root);
  expect(found.body['data']).toMatchObject([{ id: member.id, foreignIds: [input] }]);
  const sorted = await world.call('member.search', { search: '', sort: '-id', limit: 2 }, world.root);
  expect(sorted.body['data']).toMatchObject([{ foreignIds: [input] }, { foreignIds: [] }]);
});

it('staff cannot find by such an id a member whom they may not see', async () => {
  await using world = await startStaffWorld();
  const seen = await insertKnown(world, 'a', 2);
  await insertKnown(world, 'b', 1);
  const ask = (id: string) => world.call('member.byForeignId', { source: 'auth0', id }, world.manager);
  expect((await ask('a')).body['data']).toMatchObject({ id: seen.id });
  expect(await ask('b')).toMatchObject({ status: 404, code: 'not_found' });
});
