import { createApp } from '@gatehouse/api-main/app';
import { generateTotpSecret, sha256Hex, totpCode, totpStep } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import { confirmTotp, findTotpFactor, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import { findSignInChallenge } from '@gatehouse/db/queries/sign-in-challenges';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
  testEnvironment,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { readAnswer } from '../test/factor-world.js';
import { startKilledService } from '../test/killed-service.js';
import { sealTotpSecret } from './second-factor/factor-codes.js';

const dialect = inject('dialect');
const KILLS = rounds({ suite: 2, stress: 200 });

/** The transactions of a step have no more statements than this. */
const STATEMENTS = 13;

/** Later than any statement of a step. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

describe('a service killed between the second step and its answer', () => {
  it(`leaves the code used if there is a session, over ${KILLS} kills`, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database: db } = test;
    await seedTestDatabase(db);
    const options = { dialect, application: 'web', database: db, env: testEnvironment() } as const;
    await using other = await startService(createApp, options);
    const { services } = other;
    let sessionsKept = 0;
    // The last process is not killed, which shows that the kills ended the others.
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const { id: memberId } = await insertTestMember(db, { isConfirmed: true, withSession: false });
      const secret = generateTotpSecret();
      const sealed = sealTotpSecret(services, memberId, secret);
      const nowMs = Date.now();
      await changeAccess(db, { members: [memberId] }, async (tx) => {
        await setPendingTotp(tx, { memberId, secret: sealed, nowMs });
        await confirmTotp(tx, { memberId, secret: sealed, step: 0, nowMs });
        await setMemberFactors(tx, memberId, { nowMs, secondFactor: true });
      });
      const begin = async () => {
        const claims = { type: 'socialLogin', userId: memberId, provider: 'google' } as const;
        const { token } = services.tokens.sealOneUse(claims, 300);
        return (await readAnswer(await other.send('/v1/signIn/token', { body: { token } }))).challenge;
      };
      const [challenge, another] = [await begin(), await begin()];
      const code = totpCode(secret, totpStep(Date.now()));
      const sessionCount = async () => {
        const rows = await db.select().from(db.tables.sessions);
        return rows.filter((row) => row.memberId === memberId).length;
      };
      const statement = 1 + ((kill * 4 + 1) % STATEMENTS);
      const death =
        kill === KILLS ? NEVER : ({ statement, when: kill % 2 === 0 ? 'before' : 'during' } as const);
      {
        await using dying = await startKilledService(url, death);
        await fetch(`${dying.url}/v1/signIn/step`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'node' },
          body: JSON.stringify({ challenge, code }),
        }).catch(() => undefined);
      }
      const made = await sessionCount();
      const factor = await findTotpFactor(db, memberId);
      const open = await findSignInChallenge(db, { challengeKey: sha256Hex(challenge), nowMs: Date.now() });
      expect([made, made === 1, open === undefined]).toEqual([made, (factor?.lastStep ?? 0) > 0, made === 1]);
      if (death === NEVER) expect(made).toBe(1);
      sessionsKept += made;
      // The same code again, with the other challenge: in all there is one session at most.
      await other.send('/v1/signIn/step', { body: { challenge: another, code } });
      expect(await sessionCount()).toBeLessThanOrEqual(1);
    }
    printMeasurements('a second step survives kill -9', { kills: KILLS, sessionsKept, lostMarks: 0 });
  }, 3_600_000);
});
