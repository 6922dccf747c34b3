import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { listPasskeys } from '@gatehouse/db/queries/member-passkeys';
import {
  createAuthenticator,
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
import { optionsIn } from '../test/passkey-world.js';

const dialect = inject('dialect');
const KILLS = rounds({ suite: 1, stress: 200 });

/** The transactions of a sign-in with a passkey have no more statements than this. */
const STATEMENTS = 20;

/** Later than any statement of it. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

describe('a service killed between a passkey and its answer', () => {
  it(`leaves the challenge used if there is a session, over ${KILLS} kills`, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database: db } = test;
    await seedTestDatabase(db);
    const options = { dialect, application: 'web', database: db, env: testEnvironment() } as const;
    await using other = await startService(createApp, options);
    const call = async (path: string, body: object, token?: string) =>
      readAnswer(await other.send(`/v1/${path}`, { body, ...(token === undefined ? {} : { token }) }));
    let sessionsKept = 0;
    // The last process is not killed, which shows that the kills ended the others.
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const { id: memberId, token } = await insertTestMember(db, { isConfirmed: true });
      const proof = { memberId, expectedPassword: undefined, nowMs: Date.now() };
      await changeAccess(db, { members: [memberId] }, (tx) => proveOwner(tx, proof));
      const begun = await call('passkey/addOptions', {}, token);
      const device = createAuthenticator({ origin: testEnvironment()['PASSKEY_ORIGINS'] ?? '' });
      const passkey = device.create(optionsIn<'create'>(begun.data));
      const registration = { flow: begun.data['flow'], response: passkey.registration };
      expect((await call('passkey/add', registration, token)).status).toBe(200);

      const { data } = await call('signIn/passkeyOptions', {});
      const assertion = { flow: data['flow'], response: passkey.use(optionsIn<'use'>(data)) };
      const sessionCount = async () => {
        const rows = await db.select().from(db.tables.sessions);
        return rows.filter((row) => row.memberId === memberId && row.amr === 'passkey').length;
      };
      const when = kill % 2 === 0 ? 'before' : 'during';
      const death =
        kill === KILLS ? NEVER : ({ statement: 1 + ((kill * 7 + 6) % STATEMENTS), when } as const);
      let status: number | undefined;
      {
        await using dying = await startKilledService(url, death);
        const response = await fetch(`${dying.url}/v1/signIn/passkey`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'node' },
          body: JSON.stringify(assertion),
        }).catch(() => undefined);
        status = response?.status;
      }
      const made = await sessionCount();
      const [stored] = await listPasskeys(db, memberId);
      expect([kill, made === 1]).toEqual([kill, (stored?.lastUsedAtMs ?? null) !== null]);
      if (status === 200 || kill === KILLS) expect([kill, made, status]).toEqual([kill, 1, 200]);
      sessionsKept += made;
      // The same answer of the authenticator is accepted again if it was not used, and otherwise never again.
      expect([kill, (await call('signIn/passkey', assertion)).status]).toEqual([
        kill,
        made === 0 ? 200 : 403,
      ]);
      expect(await sessionCount()).toBe(1);
    }
    printMeasurements('a passkey survives kill -9', { kills: KILLS, sessionsKept, lostMarks: 0 });
  }, 3_600_000);
});
