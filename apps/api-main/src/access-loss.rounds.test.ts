import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  type AccessWorld,
  rounds,
  startAccessWorld,
  walkKeptAccess,
  walkLateBodies,
  walkLateTransactions,
  walkLossesMeanwhile,
  walkSideBySide,
  walkSlowReads,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { routes } from './routes.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

const REFUSED = [401, 403];
const OPTIONS = { timeout: 300_000 };

/** A world with simulated payment providers. */
async function start(): Promise<AccessWorld> {
  const simulator = await startProviderSimulator();
  const world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env: {
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
    },
  };
}

/**
 * Excludes calls that continue at a provider after their transaction: their guard runs again before the
 * answer.
 */
const {
  'billing.checkout': _checkout,
  'billing.portal': _portal,
  'account.close': _close,
  'eventEndpoint.save': _save,
  'partnerEvent.saveEndpoint': _saveOfPartner,
  ...WRITING
} = GUARDED_CALLS;
/**
 * An access token for another API is not a row; the guard runs again when it is signed. A domain whose record is not there changes
 * nothing.
 */
const {
  'session.accessToken': _accessToken,
  'sso.verifyDomain': _verifyDomain,
  ...IN_TRANSACTIONS
} = GUARDED_CALLS;
/** Closing an account reserves the checkout before its own transaction, in which the guard runs again. */
const RESERVING = Object.fromEntries(
  Object.entries(GUARDED_CALLS).filter(([name]) => name === 'account.close'),
);
/** Saving an endpoint pings its address after its own transaction, and then the guard runs again. */
const PINGING = Object.fromEntries(
  Object.entries(GUARDED_CALLS).filter(
    ([name]) => name === 'eventEndpoint.save' || name === 'partnerEvent.saveEndpoint',
  ),
);

describe('a caller who loses access during a call to the main service', () => {
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
    const statuses = await walkKeptAccess(world, GUARDED_CALLS);
    expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([]);
  });

  it(
    'is refused after losing it between the headers and the end of the body, and changes nothing',
    OPTIONS,
    async () => {
      const walked = await walkSideBySide(start, GUARDED_CALLS, walkLateBodies);
      expect(walked.length).toBeGreaterThan(rounds({ suite: 25, stress: 80 }));
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
      const walked = await walkSideBySide(start, IN_TRANSACTIONS, walkLateTransactions);
      expect(walked.length).toBeGreaterThan(rounds({ suite: 25, stress: 150 }));
      const wrong = walked.filter(
        ({ statuses, effects }) => effects.length > 0 || !REFUSED.includes(statuses['trpc'] ?? 0),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('loses it only after a write that was already allowed has finished', OPTIONS, async () => {
    const walked = await walkSideBySide(start, WRITING, walkLossesMeanwhile);
    expect(walked.length).toBeGreaterThan(rounds({ suite: 20, stress: 120 }));
    expect(walked.filter(({ hasPassed, status }) => hasPassed || status !== 200)).toEqual([]);
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
    expect(walked.length).toBeGreaterThan(rounds({ suite: 3, stress: 20 }));
    expect(walked.filter(({ statuses }) => !REFUSED.includes(statuses['rest'] ?? 0))).toEqual([]);
  });
});
