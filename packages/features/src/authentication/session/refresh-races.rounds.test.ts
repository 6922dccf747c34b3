import { rounds } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startFactorWorld } from '../../test/factor-world.js';

const DAY_MS = 86_400_000;
const ROUNDS = rounds({ suite: 2, stress: 50 });

describe('session.refresh', { timeout: 1_800_000 }, () => {
  it(`gives fifty concurrent callers on two nodes a token of one session each, ${ROUNDS} times`, async () => {
    await using world = await startFactorWorld();
    const { main, other, db } = world;
    const lineOf = async (token: string) => {
      const answer = await main.send('/auth/sessions', { token });
      return ((await answer.json()) as { data: unknown[] }).data;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id: userId } = await world.member({ withSession: false });
      const claims = { type: 'socialLogin', userId, provider: 'google' } as const;
      const proof = main.services.tokens.sealOneUse(claims, 300).token;
      const token = String((await world.call('signIn.token', { token: proof })).data['token']);
      world.wait(4 * DAY_MS);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          world.call('session.refresh', {}, { token, on: at % 2 === 0 ? main : other }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const tokens = answers.map(({ data }) => String(data['token']));
      expect(new Set(tokens.map((each) => main.services.tokens.openSession(each)?.tokenKey)).size).toBe(1);
      for (const on of [main, other])
        expect(
          await Promise.all(tokens.map(async (each) => (await on.send('/auth/me', { token: each })).status)),
        ).toEqual(tokens.map(() => 200));
      expect(await lineOf(tokens[49] ?? '')).toHaveLength(1);
      const rows = await db.select().from(db.tables.sessions);
      expect(rows.filter(({ memberId }) => memberId === userId)).toHaveLength(2);
    }
  });
});
