import { printMeasurements, readOutbox, rounds } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { PASSWORD, startSupportWorld } from '../test/support-world.js';

const ROUNDS = rounds({ suite: 12, stress: 200 });

it('a ban wins against a concurrent deletion on another node, and against a restoration', {
  timeout: 600_000,
}, async () => {
  await using world = await startSupportWorld();
  const outcomes: Record<string, number> = {};
  let wrong = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const member = await world.member({ memberships: { 2: 5 } });
    const begin = [
      () => world.call('member.ban', { memberId: member.id }, world.root, { on: world.otherAdmin }),
      () => world.call('member.deleteOwn', {}, member, { on: world.main }),
    ];
    const inTurn = round % 2 === 0 ? begin : begin.toReversed();
    const answers = await Promise.all(inTurn.map((call) => call()));
    const [ban, deletion] = round % 2 === 0 ? answers : answers.toReversed();
    const outcome = `ban ${ban?.status}, deletion ${deletion?.status}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const mails = await readOutbox(world.main);
    const link = mails.find(({ kind, to }) => kind === 'memberDeleted' && to === member.email)?.token;
    expect(link !== undefined).toBe(deletion?.status === 200);
    if (link !== undefined)
      expect(
        (await world.main.send('/v1/member/restoreOwn', { body: { token: link, password: PASSWORD } }))
          .status,
      ).toBe(200);
    const isIn = (await world.signIn(member.email)) !== undefined;
    if (ban?.status !== 200 || isIn) wrong += 1;
  }
  printMeasurements('deletion against ban', { rounds: ROUNDS, wrong, ...outcomes });
  expect(wrong).toBe(0);
});
