import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMemberByAddress } from '@gatehouse/db/queries/read-members';
import { printMeasurements, type RunningService, readOutbox, rounds, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { plant } from '../../test/planted-member.js';
import { PASSWORD, type SupportWorld, startSupportWorld } from '../../test/support-world.js';

/** Counts forbidden outcomes, so it is not retried. */
const OPTIONS = { timeout: 900_000 };

const ROUNDS = { suite: 6, stress: 200 };

const NEW_PASSWORD = 'Copper-Meadow-17';

const LIMITS = {
  REGISTRATIONS_PER_ADDRESS: '100000',
  MAIL_REQUESTS_PER_ADDRESS: '100000',
  LOGIN_FAILURES_PER_ADDRESS: '100000',
};

/** Starts both, the one or the other a little later, so that they meet at every step over the rounds. */
function race<One, Other>(
  round: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  const delayMs = Math.abs((round % 21) - 10) * 6;
  const isLater = round % 21 > 10;
  return Promise.all([
    (isLater ? pause(delayMs) : Promise.resolve()).then(one),
    (isLater ? Promise.resolve() : pause(delayMs)).then(other),
  ]);
}

const memberOf = async ({ db }: SupportWorld, id: number) =>
  (await db.select().from(db.tables.members)).find((member) => member.id === id);

const opens = async (node: RunningService, email: string, password: string) =>
  (await node.send('/webauthenticate', { body: { email, password } })).ok;

const isAlive = async (world: SupportWorld, token: string) =>
  (await world.statuses({ token })).some((status) => status !== 401);

const newest = async (world: SupportWorld, kind: string, email: string) =>
  (await readOutbox(world.main)).find((mail) => mail.kind === kind && mail.to === email);

/** Promotes on the one node of the admin service or the other. */
const promote = (world: SupportWorld, memberId: number, round: number) =>
  world.call('personnel.promote', { memberId }, world.root, {
    on: round % 2 === 0 ? world.admin : world.otherAdmin,
  });

/** What is wrong with a colleague after a race: nothing, or the person who can sign in and must not. */
async function flawOf(
  world: SupportWorld,
  { id, email, passwords }: { id: number; email: string; passwords: Readonly<Record<string, boolean>> },
): Promise<string | undefined> {
  const member = await memberOf(world, id);
  if (member?.isPersonnel !== true) return 'is no staff';
  const isProven = member.ownerProvenAtMs !== null;
  const invitation = await newest(world, 'staffInvitation', email);
  if (isProven !== (invitation === undefined)) return isProven ? 'is invited and proven' : 'is not invited';
  for (const [password, isOwners] of Object.entries(passwords)) {
    if ((await opens(world.admin, email, password)) !== (isProven && isOwners)) return `opens by ${password}`;
  }
  return undefined;
}

describe('a promotion', () => {
  it('gives nothing to a person who registers the address at the same time', OPTIONS, async () => {
    await using world = await startSupportWorld(LIMITS);
    const count = rounds(ROUNDS);
    const flaws: unknown[] = [];
    let overtaken = 0;
    let pauseMs = 0;
    let promoteMs = 50;
    let storedId: ((id: number) => void) | undefined;
    let email = '';
    // The node that registers is slow: its session begins shortly before or after the promotion has locked the member.
    const database: Database = {
      ...world.db,
      async transaction(body) {
        const result = await world.db.transaction(body);
        const found = storedId && (await findMemberByAddress(world.db, email));
        if (found === undefined) return result;
        storedId?.(found.id);
        storedId = undefined;
        await pause(pauseMs);
        return result;
      },
    };
    await using node = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'web',
      database,
      env: LIMITS,
    });
    for (let round = 0; round < count; round += 1) {
      email = `hire-${round}@company.test`;
      pauseMs = ((round * 3) % 11) * 0.02 * promoteMs;
      const body = { username: `hire-${round}`, email, password: PASSWORD };
      const stored = new Promise<number>((resolve) => {
        storedId = resolve;
      });
      const [registered, id] = await Promise.all([
        node.send('/register', { body }),
        stored.then(async (memberId) => {
          const startedAt = performance.now();
          const { status } = await promote(world, memberId, round);
          promoteMs = performance.now() - startedAt;
          if (status !== 200) flaws.push({ round, status });
          return memberId;
        }),
      ]);
      const { token } = (await registered.json()) as { token?: string };
      if (!registered.ok) overtaken += 1;
      if (token !== undefined && (await isAlive(world, token))) flaws.push({ round, session: true });
      const flaw = await flawOf(world, { id, email, passwords: { [PASSWORD]: false } });
      if (flaw !== undefined) flaws.push({ round, flaw });
    }
    printMeasurements('a promotion against a registration', {
      rounds: count,
      registrationFirst: count - overtaken,
      promotionFirst: overtaken,
      wrong: flaws.length,
    });
    expect(flaws).toEqual([]);
    if (count === ROUNDS.stress) expect(Math.min(overtaken, count - overtaken)).toBeGreaterThan(count / 20);
  });

  it(
    'gives one member when one call adds a colleague and another registers the same address',
    OPTIONS,
    async () => {
      await using world = await startSupportWorld(LIMITS);
      const count = rounds(ROUNDS);
      const outcomes: Record<string, number> = {};
      for (let round = 0; round < count; round += 1) {
        const email = `add-${round}@company.test`;
        const body = { username: `add-${round}`, email, password: PASSWORD };
        const person = { email, firstName: 'New', lastName: 'Colleague', roleType: 6 };
        const [registered, added] = await race(
          round,
          () => world.main.send('/register', { body }),
          () => world.call('personnel.save', person, world.root, { on: world.otherAdmin }),
        );
        const found = await findMemberByAddress(world.db, email);
        const member = found && (await memberOf(world, found.id));
        const entered = await opens(world.main, email, PASSWORD);
        const outcome = JSON.stringify([registered.status, added.status, member?.isPersonnel, entered]);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      printMeasurements('a new colleague against a registration', { rounds: count });
      const [registration, addition] = ['[200,409,false,true]', '[409,200,true,false]'];
      expect(Object.keys(outcomes).filter((each) => each !== registration && each !== addition)).toEqual([]);
    },
  );

  it('keeps the password that the mailbox set, or none, in a race with a reset', OPTIONS, async () => {
    await using world = await startSupportWorld(LIMITS);
    const count = rounds(ROUNDS);
    const flaws: unknown[] = [];
    let first = 0;
    let resetMs = 100;
    for (let round = 0; round < count; round += 1) {
      const planted = await plant(world, { isConfirmed: round % 2 === 0 });
      const { id, email, token } = planted;
      await world.main.send('/forgotPassword', { body: { email } });
      const link = await newest(world, 'passwordReset', email);
      const body = { token: link?.token, password: NEW_PASSWORD };
      const startedAt = performance.now();
      // A reset first hashes the password, so the promotion begins somewhere between its start and its end.
      const [reset, promoted] = await Promise.all([
        world.main.send('/resetPassword', { body }).finally(() => {
          resetMs = performance.now() - startedAt;
        }),
        pause(((round * 3) % 11) * 0.15 * resetMs).then(() => promote(world, id, round)),
      ]);
      if (reset.ok) first += 1;
      if (promoted.status !== 200 || ![200, 403].includes(reset.status))
        flaws.push({ round, statuses: [promoted.status, reset.status] });
      if (await isAlive(world, token)) flaws.push({ round, session: true });
      const passwords = { [PASSWORD]: false, [NEW_PASSWORD]: reset.ok };
      const flaw = await flawOf(world, { id, email, passwords });
      if (flaw !== undefined) flaws.push({ round, flaw });
    }
    printMeasurements('a promotion against a reset', {
      rounds: count,
      resetFirst: first,
      promotionFirst: count - first,
      wrong: flaws.length,
    });
    expect(flaws).toEqual([]);
    if (count === ROUNDS.stress) expect(Math.min(first, count - first)).toBeGreaterThan(count / 20);
  });

  it('treats a confirmation with the password as proof, or ends that password', OPTIONS, async () => {
    await using world = await startSupportWorld(LIMITS);
    const count = rounds(ROUNDS);
    const flaws: unknown[] = [];
    const proven: Record<string, number> = {};
    for (let round = 0; round < count; round += 1) {
      const email = `click-${round}@company.test`;
      const person = { username: `click-${round}`, email, password: PASSWORD };
      const registered = await world.main.send('/register', { body: person });
      const { userId: id, token } = (await registered.json()) as { userId: number; token: string };
      const link = (await newest(world, 'activation', email))?.token;
      const way = (['click', 'password', 'session'] as const)[round % 3] ?? 'click';
      const request = {
        body: { token: link, ...(way === 'password' ? { password: PASSWORD } : {}) },
        ...(way === 'session' ? { token } : {}),
      };
      const [confirmed, promoted] = await race(
        round * 4,
        () => world.main.send('/confirmationDetails', request),
        () => promote(world, id, round),
      );
      if (promoted.status !== 200 || confirmed.status >= 500)
        flaws.push({ round, statuses: [promoted.status, confirmed.status] });
      if (await isAlive(world, token)) flaws.push({ round, session: true });
      const flaw = await flawOf(world, { id, email, passwords: { [PASSWORD]: true } });
      if (flaw !== undefined) flaws.push({ round, way, flaw });
      if ((await memberOf(world, id))?.ownerProvenAtMs !== null) proven[way] = (proven[way] ?? 0) + 1;
    }
    expect(proven['click']).toBeUndefined();
    printMeasurements('a promotion against a confirmation', {
      rounds: count,
      provenFirst: Object.values(proven).reduce((sum, each) => sum + each, 0),
      wrong: flaws.length,
    });
    expect(flaws).toEqual([]);
  });

  it('gives no session to a person who registers when the promotion comes before the sign-in', async () => {
    await using world = await startSupportWorld();
    const email = 'overtaken@company.test';
    let promotedId: number | undefined;
    const database: Database = {
      ...world.db,
      async transaction(body) {
        const result = await world.db.transaction(body);
        const found = await findMemberByAddress(world.db, email);
        if (found !== undefined && promotedId === undefined) {
          promotedId = found.id;
          await promote(world, found.id, 0);
        }
        return result;
      },
    };
    await using node = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'web',
      database,
    });
    const body = { username: randomId(), email, password: PASSWORD };
    expect((await node.send('/register', { body })).status).toBe(401);
    const { sessions } = world.db.tables;
    const begun = await world.db.select().from(sessions);
    expect(begun.filter(({ memberId }) => memberId === promotedId)).toEqual([]);
    expect(await memberOf(world, promotedId ?? 0)).toMatchObject({ isPersonnel: true, hasPassword: false });
  });
});
