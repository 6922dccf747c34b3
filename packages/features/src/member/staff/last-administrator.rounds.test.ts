import { insertTestMember, printMeasurements, rounds, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { countAdministrators } from '../../test/count-administrators.js';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

/** Every way in which a member can stop being staff of base role 0. */
const WAYS: readonly ((world: StaffWorld, id: number, as: TestMember) => ReturnType<StaffWorld['call']>)[] = [
  (world, memberId, as) => world.call('member.ban', { memberId }, as),
  (world, memberId, as) => world.call('member.remove', { memberId }, as),
  (world, memberId, as) => world.call('member.update', { memberId, roleType: 5 }, as),
  (world, memberId, as) => world.call('personnel.save', { personnelId: memberId, roleType: 6 }, as),
  (world, memberId, as) => world.call('personnel.save', { personnelId: memberId, active: false }, as),
  (world, memberId, as) => world.call('personnel.promote', { memberId }, as),
];

describe('the last staff member of base role 0', () => {
  it('cannot be removed in any way', async () => {
    await using world = await startStaffWorld();
    expect((await world.call('member.remove', { memberId: 1 }, world.root)).status).toBe(200);
    for (const way of WAYS)
      expect((await way(world, world.root.id, world.root)).code).toBe('last_administrator');
    expect(await countAdministrators(world.service.database)).toBe(1);
    expect((await world.send('/auth/me', world.root)).status).toBe(200);
  });

  it('cannot be removed when several remove each other at the same time', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    expect((await world.call('member.remove', { memberId: 1 }, world.root)).status).toBe(200);
    const total = rounds({ suite: 6, stress: 300 });
    let survivor = world.root;
    for (let round = 0; round < total; round += 1) {
      const others = await Promise.all(
        [0, 1, 2].map(() => insertTestMember(database, { roleType: 0, isPersonnel: true })),
      );
      const circle = [survivor, ...others];
      const answers = await Promise.all(
        circle.map((each, index) => {
          const next = circle[(index + 1) % circle.length] ?? each;
          const way = WAYS[(round + index) % WAYS.length];
          return way === undefined ? Promise.reject(new Error('no way')) : way(world, next.id, each);
        }),
      );
      expect(answers.map(({ status }) => status)).not.toContain(500);
      expect(await countAdministrators(database)).toBeGreaterThanOrEqual(1);
      const alive = await Promise.all(
        circle.map(async (each) => (await world.send('/getPersonnel/1', each)).status),
      );
      const standing = circle.filter((_, index) => alive[index] === 404);
      expect(standing.length).toBeGreaterThanOrEqual(1);
      for (const extra of standing.slice(1))
        await world.call('member.remove', { memberId: extra.id }, standing[0]);
      survivor = standing[0] ?? survivor;
    }
    printMeasurements('the last administrator stays', { rounds: total, administratorsPerRound: 4 });
  });
});
