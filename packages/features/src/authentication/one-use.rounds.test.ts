import { createAuthenticator, type RunningService, rounds } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { FactorAnswer, FactorWorld } from '../test/factor-world.js';
import { addPasskey, optionsIn, startPasskeyWorld } from '../test/passkey-world.js';
import { recovering } from '../test/recovery-world.js';

const ROUNDS = rounds({ suite: 2, stress: 200 });
const USES = 50;
const MINUTE_MS = 60_000;
const OPTIONS = { timeout: 3_600_000 };

type Use = (on: RunningService, at: number) => Promise<FactorAnswer>;

/** Uses something many times at once over two nodes, and expects one session of it. */
async function expectOneSession(world: FactorWorld, memberId: number, use: Use): Promise<void> {
  const count = async () =>
    (await world.db.select().from(world.db.tables.sessions)).filter((row) => row.memberId === memberId)
      .length;
  const before = await count();
  const answers = await Promise.all(
    Array.from({ length: USES }, (_, at) => use(at % 2 === 0 ? world.main : world.other, at)),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await count()).toBe(before + 1);
}

/** As many challenges of a member as there are uses, by a provider, which costs no hash. */
async function challengesOf(world: FactorWorld, userId: number): Promise<string[]> {
  const claims = { type: 'socialLogin', userId, provider: 'google' } as const;
  const answers = await Promise.all(
    Array.from({ length: USES }, () =>
      world.call('signIn.token', { token: world.main.services.tokens.sealOneUse(claims, 300).token }),
    ),
  );
  return answers.map(({ challenge }) => challenge);
}

describe(`fifty concurrent uses over two nodes make one session, in ${ROUNDS} rounds,`, OPTIONS, () => {
  it.each<[string, (world: FactorWorld) => Promise<[number, Use]>]>([
    [
      'of a challenge',
      async (world) => {
        const member = await world.enrolled();
        const { challenge } = await world.signIn(member);
        const code = member.code();
        return [member.id, (on) => world.call('signIn.step', { challenge, code }, { on })];
      },
    ],
    [
      'of a code of an app',
      async (world) => {
        const member = await world.enrolled();
        const challenges = await challengesOf(world, member.id);
        const code = member.code();
        const use: Use = (on, at) => world.call('signIn.step', { challenge: challenges[at], code }, { on });
        return [member.id, use];
      },
    ],
    [
      'of a backup code',
      async (world) => {
        const member = await world.enrolled();
        const challenges = await challengesOf(world, member.id);
        const [backupCode] = member.backupCodes;
        const use: Use = (on, at) =>
          world.call('signIn.step', { challenge: challenges[at], backupCode }, { on });
        return [member.id, use];
      },
    ],
    [
      'of a flow of a passkey',
      async (world) => {
        const member = await world.member();
        const token = String((await world.signIn(member)).data['token']);
        const device = createAuthenticator({ origin: 'http://localhost:4000' });
        const { passkey } = await addPasskey(world, { ...member, token }, device);
        const { data } = await world.call('signIn.passkeyOptions', {});
        const response = passkey.use(optionsIn<'use'>(data));
        const use: Use = (on) => world.call('signIn.passkey', { flow: data['flow'], response }, { on });
        return [member.id, use];
      },
    ],
    [
      'of a ticket of a recovery',
      async (world) => {
        const member = await recovering(world);
        const challenges = await challengesOf(world, member.id);
        const { ticket } = member;
        const use: Use = (on, at) => world.call('signIn.step', { challenge: challenges[at], ticket }, { on });
        return [member.id, use];
      },
    ],
  ])('%s', async (_what, prepare) => {
    await using world = await startPasskeyWorld();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [memberId, use] = await prepare(world);
      await expectOneSession(world, memberId, use);
      world.wait(20 * MINUTE_MS);
    }
  });
});
