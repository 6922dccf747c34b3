import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, hashPassword, passwordCost, wrapPasswordHash } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import {
  insertTestMember,
  isStressRun,
  printMeasurements,
  type RunningService,
  rounds,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const PAIRS = rounds({ suite: 4, stress: 60 });

/**
 * The tolerated difference of two times. A few pairs on a busy machine prove little; the statements below are
 * exact.
 */
const TOLERANCE = PAIRS >= 60 ? 0.1 : 0.6;

/** Noise of the machine lasts longer than a series; a real difference stays. */
const SERIES = 12;
const DELETED_ID = 9;

/** Waits out the pauses and mail limits, so that each request starts with the same limits. */
const STEP_MS = 2 * 3_600_000;

/** Each sign-in with its cases: a known member with a wrong secret, and the others. */
const TRANSPORTS: Record<
  string,
  { known: string; send: (service: RunningService, email: string) => Promise<Response> }
> = {
  'a login with a wrong password': {
    known: 'owner@acme.test',
    send: (service, email) =>
      service.send('/webauthenticate', { body: { email, password: 'Wrong-Harbor-42' } }),
  },
  'asking for a one-time password': {
    known: 'owner@acme.test',
    send: (service, email) => service.send('/Adminsignin', { body: { email } }),
  },
  'a login with a wrong one-time password': {
    known: 'owner@acme.test',
    send: (service, email) => service.send('/Adminlogin', { body: { email, password: 'abcdef' } }),
  },
  'asking to sign in by mail': {
    known: 'owner@acme.test',
    send: (service, email) => service.send('/v1/signIn/requestEmail', { body: { email } }),
  },
  'signing in with a wrong code by mail': {
    known: 'owner@acme.test',
    send: async (service, email) => {
      const asked = await service.send('/v1/signIn/requestEmail', { body: { email } });
      const { data } = (await asked.json()) as { data: { flow: string } };
      return service.send('/v1/signIn/email', { body: { flow: data.flow, code: '00000000' } });
    },
  },
  'asking for a reset': {
    known: 'owner@acme.test',
    send: (service, email) => service.send('/forgotPassword', { body: { email } }),
  },
};

const UNKNOWN = {
  unknown: 'nobody@acme.test',
  deleted: 'owner@cedar.test',
  archived: 'archived@acme.test',
};

async function startWorld() {
  const clock = { nowMs: Date.now() };
  const service = await startService(createApp, { dialect, application: 'web', now: () => clock.nowMs });
  await changeAccess(service.database, { members: [DELETED_ID] }, (tx) =>
    removeMember(tx, { memberId: DELETED_ID, nowMs: clock.nowMs }),
  );
  return { service, clock, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

describe.each(Object.entries(TRANSPORTS))('%s', (name, { known, send }) => {
  it('gives one answer, and sends the same number of statements', async () => {
    await using world = await startWorld();
    const { service, clock } = world;
    const seen: string[] = [];
    // The first request of each finds unused counters, the second finds those of the first.
    for (const _ of ['first', 'second']) {
      // Counters per address are the same for everybody, and count from the first request on.
      await send(service, 'somebody@else.test');
      for (const email of [known, ...Object.values(UNKNOWN)]) {
        const { reads, writes } = service.database.statistics;
        const response = await send(service, email);
        const { requestId: _id, ...body } = JSON.parse(await shapeOf(response)) as Record<string, unknown>;
        const after = service.database.statistics;
        const asked = `${after.reads - reads} reads, ${after.writes - writes} writes`;
        seen.push(`${response.status} ${JSON.stringify(body)} ${asked}`);
      }
      clock.nowMs += STEP_MS;
    }
    expect(new Set(seen.slice(0, 4)).size).toBe(1);
    expect(new Set(seen.slice(4)).size).toBe(1);
  });

  it.each(Object.entries(UNKNOWN))(
    `takes as long for the %s as for the known, within ${TOLERANCE * 100} % over ${PAIRS} pairs`,
    async (kind, email) => {
      await using world = await startWorld();
      await expectSameTime(world, `${name}, ${kind}`, send, { known, other: email });
    },
    120_000,
  );
});

const IMPORTED: Record<string, () => Promise<string>> = {
  'a hash of cost 4': async () => wrapPasswordHash(await hashPassword('Known-Before-1', 4)),
  'a hash of phpass': () => Promise.resolve(`$foreign$phpass$$P$BNaClNaCl${'.'.repeat(22)}`),
  'a hash of cost 14': () => Promise.resolve(dummyHash.replace('$10$', '$14$')),
  ...(isStressRun() && {
    'a hash of cost 9': async () => wrapPasswordHash(await hashPassword('Known-Before-1', 9)),
    'a hash of cost 12': () => hashPassword('Known-Before-1', 12),
  }),
};

describe('a login with a wrong password for an imported member', () => {
  it.each(Object.entries(IMPORTED))(
    `takes as long as for a registered member and for an unknown name, with %s, within ${TOLERANCE * 100} %`,
    async (kind, makeStored) => {
      await using world = await startWorld();
      const { database } = world.service;
      const stored = await makeStored();
      const imported = await insertTestMember(database, { withSession: false });
      await setPasswordHash(database, imported.id, dummyHash, stored, passwordCost(stored));
      const { send } = TRANSPORTS['a login with a wrong password'] ?? expect.unreachable();
      for (const other of ['owner@acme.test', 'nobody@acme.test']) {
        const name = `a login with a wrong password, ${kind} against ${other}`;
        await expectSameTime(world, name, send, { known: imported.email, other });
      }
    },
    240_000,
  );
});

/** An answer, with the length of a flow in its place: it is another each time. */
async function shapeOf(response: Response): Promise<string> {
  return (await response.text()).replace(/"flow":"([^"]*)"/, (_, flow: string) => `"flow":${flow.length}`);
}

/** Fails when the times of two logins differ in every series. */
async function expectSameTime(
  { service, clock }: Awaited<ReturnType<typeof startWorld>>,
  name: string,
  send: (service: RunningService, email: string) => Promise<Response>,
  { known, other }: { known: string; other: string },
): Promise<void> {
  const { database } = service;
  const timed = async (login: string) => {
    clock.nowMs += STEP_MS;
    // After a hundred failures in a row nothing is compared any more.
    await database.write(database.delete(database.tables.loginFailures));
    const startedAt = performance.now();
    await (await send(service, login)).arrayBuffer();
    return performance.now() - startedAt;
  };
  for (let time = 0; time < 4; time += 1) await timed(time % 2 === 0 ? known : other);
  let apart = Number.POSITIVE_INFINITY;
  for (let series = 0; series < SERIES && apart > TOLERANCE; series += 1) {
    const ofKnown: number[] = [];
    const ofOther: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      if (pair % 2 === 0) ofKnown.push(await timed(known));
      ofOther.push(await timed(other));
      if (pair % 2 === 1) ofKnown.push(await timed(known));
    }
    const ratio = lowerQuartile(ofOther) / lowerQuartile(ofKnown);
    apart = Math.min(apart, Math.abs(ratio - 1));
    const knownMs = lowerQuartile(ofKnown).toFixed(2);
    printMeasurements(name, { pairs: PAIRS, knownMs, ratio: ratio.toFixed(3) });
  }
  expect(apart).toBeLessThanOrEqual(TOLERANCE);
}

function lowerQuartile(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}
