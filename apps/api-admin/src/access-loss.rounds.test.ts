import { setTimeout as pause } from 'node:timers/promises';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { writeProgram } from '@gatehouse/features/test/write-program';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  createTestFolder,
  insertTestMember,
  rounds,
  startAccessWorld,
  unsettled,
  walkKeptAccess,
  walkLateBodies,
  walkLateTransactions,
  walkLossesMeanwhile,
  walkSideBySide,
  walkSlowReads,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createApp } from './app.js';
import { router } from './router.js';
import { routes } from './routes.js';
import { CHANGES_OF_STAFF, GUARDED_CALLS } from './test/guarded-calls.js';

const REFUSED = [401, 403];
const OPTIONS = { timeout: 300_000 };

async function start() {
  const folder = await createTestFolder();
  const program = await writeProgram(folder.path, 'analysis', 'console.log("[]")');
  const simulator = await startProviderSimulator();
  const world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'admin',
    env: {
      ANALYSIS_PROGRAM: program,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      ...billingEnvironment(simulator.url),
    },
  });
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Calls that write nothing themselves, but start a program. */
const {
  'knowledge.analyze': _,
  'account.remove': _remove,
  'eventEndpoint.save': _save,
  'partnerEvent.saveEndpoint': _saveOfPartner,
  ...WRITING
} = GUARDED_CALLS;
/** Deleting an account reserves the checkout before its own transaction, in which the guard runs again. */
const RESERVING = Object.fromEntries(
  Object.entries(GUARDED_CALLS).filter(([name]) => name === 'account.remove'),
);
/** Saving an endpoint pings its address after its own transaction, and then the guard runs again. */
const PINGING = Object.fromEntries(
  Object.entries(GUARDED_CALLS).filter(
    ([name]) => name === 'eventEndpoint.save' || name === 'partnerEvent.saveEndpoint',
  ),
);

describe('a caller who loses access during a call to the admin service', () => {
  it('is tested with every guarded procedure that writes or reads a body', () => {
    const ofBodies = new Set(
      routes.flatMap((row) => (row.kind === 'procedure' && row.methods.includes('POST') ? [row.call] : [])),
    );
    const guarded = listProcedures(router).filter(
      ({ name, type, rule }) => rule?.who !== 'anyone' && (type === 'mutation' || ofBodies.has(name)),
    );
    const names = guarded.map(({ name }) => name).toSorted();
    expect(Object.keys(GUARDED_CALLS).toSorted(), 'list them in src/test/guarded-calls.ts').toEqual(names);
  });

  it('is refused for that reason alone: callers who keep their access are served', OPTIONS, async () => {
    await using world = await start();
    const statuses = [
      await walkKeptAccess(world, GUARDED_CALLS),
      await walkKeptAccess(world, CHANGES_OF_STAFF),
    ];
    expect(statuses.flatMap((each) => Object.entries(each)).filter(([, status]) => status !== 200)).toEqual(
      [],
    );
  });

  it(
    'is refused after losing it between the headers and the end of the body, and changes nothing',
    OPTIONS,
    async () => {
      const walked = await walkSideBySide(start, GUARDED_CALLS, walkLateBodies);
      expect(walked.length).toBeGreaterThan(rounds({ suite: 25, stress: 150 }));
      const wrong = walked.filter(
        ({ statuses, effects }) =>
          effects.length > 0 || Object.values(statuses).some((status) => !REFUSED.includes(status)),
      );
      expect(wrong).toEqual([]);
    },
  );

  it(
    'is refused after losing it between the last check and the transaction, and changes nothing',
    OPTIONS,
    async () => {
      const walked = [
        ...(await walkSideBySide(start, WRITING, walkLateTransactions)),
        ...(await walkSideBySide(start, CHANGES_OF_STAFF, walkLateTransactions)),
      ];
      expect(walked.length).toBeGreaterThan(rounds({ suite: 50, stress: 300 }));
      const wrong = walked.filter(
        ({ statuses, effects }) => effects.length > 0 || !REFUSED.includes(statuses['trpc'] ?? 0),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('completes a write that was already allowed before the loss takes effect', OPTIONS, async () => {
    const walked = [
      ...(await walkSideBySide(start, WRITING, walkLossesMeanwhile)),
      ...(await walkSideBySide(start, CHANGES_OF_STAFF, walkLossesMeanwhile)),
    ];
    expect(walked.length).toBeGreaterThan(rounds({ suite: 50, stress: 300 }));
    const wrong = walked.filter(({ hasPassed, status }) => hasPassed || status !== 200);
    expect(wrong).toEqual([]);
    const reserving = await walkSideBySide(start, RESERVING, walkLossesMeanwhile);
    expect(reserving.length).toBeGreaterThanOrEqual(rounds({ suite: 1, stress: 4 }));
    expect(reserving.filter(({ hasPassed, status }) => hasPassed || !REFUSED.includes(status))).toEqual([]);
    const pinging = await walkSideBySide(start, PINGING, walkLossesMeanwhile);
    expect(pinging.length).toBeGreaterThanOrEqual(rounds({ suite: 1, stress: 4 }));
    expect(
      pinging.filter(({ hasPassed, status }) => hasPassed || ![200, ...REFUSED].includes(status)),
    ).toEqual([]);
  });

  it('is refused after losing it while a read waits', OPTIONS, async () => {
    const walked = await walkSideBySide(start, GUARDED_CALLS, walkSlowReads);
    expect(walked.length).toBeGreaterThan(rounds({ suite: 5, stress: 40 }));
    expect(walked.filter(({ statuses }) => !REFUSED.includes(statuses['rest'] ?? 0))).toEqual([]);
  });

  it('gets from a read that waited only the accounts that they may still see', OPTIONS, async () => {
    await using world = await start();
    const { service, db, holdups } = world;
    const { id, token } = await insertTestMember(db, { roleType: 6, isPersonnel: true, grants: [1, 2] });
    const listed = async (): Promise<number[]> => {
      const answer = await service.send('/v1/account/list', { headers: { token }, body: {} });
      const { data } = z.object({ data: z.array(z.object({ id: z.int() })) }).parse(await answer.json());
      return data.map((account) => account.id);
    };
    expect(await listed()).toEqual([1, 2]);
    holdups.beforeRead = async () => {
      await changeAccess(db, { members: [id] }, (tx) =>
        removePersonnelGrant(unsettled(tx), { personnelId: id, accountId: 2, nowMs: Date.now() }),
      );
      await pause(200);
    };
    expect(await listed()).toEqual([1]);
  });
});
