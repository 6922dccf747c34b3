import { printMeasurements, rounds } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { ownerlessAccounts } from '../test/ownerless-accounts.js';
import { type PeopleWorld, startPeopleWorld } from '../test/people-world.js';

const ROUNDS = rounds({ suite: 12, stress: 300 });

const OPTIONS = { timeout: 600_000 };

type Call = readonly [name: string, input: object, as: { token: string; accountId: number }];

async function race(world: PeopleWorld, calls: readonly Call[]): Promise<number[]> {
  const answers = await Promise.all(
    calls.map(([name, input, as], at) =>
      world.call(name, input, as, { on: at % 2 === 0 ? world.service : world.other }),
    ),
  );
  expect(await ownerlessAccounts(world.db)).toEqual([]);
  return answers.map(({ status }) => status);
}

it('two owners who demote each other on two nodes leave the primary owner', OPTIONS, async () => {
  await using world = await startPeopleWorld();
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id: accountId, owner } = await world.account();
    const other = await world.member({ memberships: { [accountId]: 1 } });
    const statuses = await race(world, [
      ['membership.changeRole', { memberId: other.id, roleType: 5 }, { token: owner.token, accountId }],
      ['membership.changeRole', { memberId: owner.id, roleType: 5 }, { token: other.token, accountId }],
    ]);
    expect(statuses[0]).toBe(200);
    expect([403, 409]).toContain(statuses[1]);
    outcomes[statuses.join()] = (outcomes[statuses.join()] ?? 0) + 1;
  }
  printMeasurements('two owners demote each other', { rounds: ROUNDS, ...outcomes });
});

it('a member who leaves while becoming owner has either left or owns the account', OPTIONS, async () => {
  await using world = await startPeopleWorld();
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id: accountId, owner } = await world.account();
    const next = await world.member({ memberships: { [accountId]: 1 } });
    const calls = [
      ['account.transferOwnership', { memberId: next.id }, { token: owner.token, accountId }],
      ['membership.leave', {}, { token: next.token, accountId }],
    ] as const;
    const statuses = await race(world, round % 2 === 0 ? [...calls] : [calls[1], calls[0]]);
    const sorted = (round % 2 === 0 ? statuses : statuses.toReversed()).join();
    expect(['200,409', '404,200']).toContain(sorted);
    outcomes[sorted] = (outcomes[sorted] ?? 0) + 1;
  }
  printMeasurements('leave against transfer', { rounds: ROUNDS, ...outcomes });
});

it('only one of several concurrent transfers takes effect', OPTIONS, async () => {
  await using world = await startPeopleWorld();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id: accountId, owner } = await world.account();
    const as = { token: owner.token, accountId };
    const heirs = [];
    for (let at = 0; at < 4; at += 1) heirs.push(await world.member({ memberships: { [accountId]: 5 } }));
    const statuses = await race(
      world,
      heirs.map(({ id: memberId }) => ['account.transferOwnership', { memberId }, as]),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 403, 403, 403]);
    const rows = await world.db.select().from(world.db.tables.accounts);
    const ownerId = rows.find(({ id }) => id === accountId)?.ownerId;
    expect(ownerId).toBe(heirs[statuses.indexOf(200)]?.id);
  }
});

it(
  'a new owner who is removed or demoted at the same time owns no account without a membership',
  OPTIONS,
  async () => {
    await using world = await startPeopleWorld();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id: accountId, owner } = await world.account();
      const heir = await world.member({ memberships: { [accountId]: 2 } });
      const coOwner = await world.member({ memberships: { [accountId]: 1 } });
      const theirs = { token: coOwner.token, accountId };
      const [transfer, change] = await race(world, [
        ['account.transferOwnership', { memberId: heir.id }, { token: owner.token, accountId }],
        round % 2 === 0
          ? ['membership.remove', { memberId: heir.id }, theirs]
          : ['membership.changeRole', { memberId: heir.id, roleType: 5 }, theirs],
      ]);
      const hasMoved = transfer === 200;
      expect(hasMoved || change === 200).toBe(true);
    }
  },
);
