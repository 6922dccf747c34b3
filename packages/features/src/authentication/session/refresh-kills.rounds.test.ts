import { createApp } from '@gatehouse/api-main/app';
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
import { readAnswer } from '../../test/factor-world.js';
import { startKilledService } from '../../test/killed-service.js';

const dialect = inject('dialect');
const KILLS = rounds({ suite: 1, stress: 200 });
/** The transactions of a refresh and of a sign-out have no more statements than this. */
const STATEMENTS = 14;
/** Later than any statement of either. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

describe('a service killed while a session is refreshed or ended', () => {
  it(`leaves one newest token, and loses no acknowledged end, over ${KILLS} kills`, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database: db } = test;
    await seedTestDatabase(db);
    const options = { dialect, application: 'web', database: db, env: testEnvironment() } as const;
    await using other = await startService(createApp, options);
    const statusOf = async (token: string) => (await other.send('/auth/me', { token })).status;
    let refreshed = 0;
    let ended = 0;
    // The last process is not killed, which shows that the kills ended the others.
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const member = await insertTestMember(db, { ageSeconds: 2_400 });
      const when = kill % 2 === 0 ? 'before' : 'during';
      const death =
        kill === KILLS ? NEVER : ({ statement: 1 + ((kill * 4 + 1) % STATEMENTS), when } as const);
      let answered: string | undefined;
      {
        await using dying = await startKilledService(url, death);
        const response = await fetch(`${dying.url}/v1/session/refresh`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', token: member.token },
          body: '{}',
        }).catch(() => undefined);
        if (response?.ok) answered = String((await readAnswer(response)).data['token']);
      }
      if (kill === KILLS) expect(answered).toBeDefined();
      if (answered !== undefined) expect(await statusOf(answered)).toBe(200);
      const again = await readAnswer(
        await other.send('/v1/session/refresh', { token: member.token, body: {} }),
      );
      const next = String(again.data['token']);
      const keyOf = (token: string) => other.services.tokens.openSession(token)?.tokenKey;
      if (answered !== undefined) expect(keyOf(next)).toBe(keyOf(answered));
      const rows = (await db.select().from(db.tables.sessions)).filter(
        ({ memberId }) => memberId === member.id,
      );
      expect([rows.length, rows.filter(({ retiresAtMs }) => retiresAtMs === null).length]).toEqual([2, 1]);
      refreshed += 1;

      let isEnded = false;
      {
        await using dying = await startKilledService(url, death);
        const headers = { token: member.token };
        const response = await fetch(`${dying.url}/auth/logout`, { method: 'POST', headers }).catch(
          () => undefined,
        );
        isEnded = response?.ok === true;
      }
      const statuses = [await statusOf(member.token), await statusOf(next)];
      // Both changes or neither; and both if the call was answered.
      expect(new Set(statuses).size).toBe(1);
      if (isEnded) expect(statuses).toEqual([401, 401]);
      if (statuses[0] === 401) ended += 1;
      if (kill === KILLS) expect(isEnded).toBe(true);
    }
    printMeasurements('a refresh survives kill -9', { kills: 2 * KILLS, refreshed, ended, lostEnds: 0 });
  }, 3_600_000);
});
