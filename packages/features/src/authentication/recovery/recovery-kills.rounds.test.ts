import { createApp } from '@gatehouse/api-main/app';
import { generateTotpSecret, randomToken, totpCode, totpStep } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import {
  findOpenRecovery,
  findRecovery,
  insertRecovery,
  setRecoveryTicket,
} from '@gatehouse/db/queries/recoveries';
import { confirmTotp, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  type RunningService,
  rounds,
  seedTestDatabase,
  startService,
  testEnvironment,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type FactorAnswer, readAnswer } from '../../test/factor-world.js';
import { type Death, startKilledService } from '../../test/killed-service.js';
import { openTotpSecret, sealTotpSecret } from '../second-factor/factor-codes.js';
import { ticketDigests } from './recovery-tickets.js';

const dialect = inject('dialect');
const KILLS = rounds({ suite: 1, stress: 200 });
/** The transactions of each call have no more statements than this. */
const STATEMENTS = { redeem: 23, prove: 11, confirm: 29 };
/** Later than any statement. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;
const HOUR_MS = 3_600_000;

interface Sent {
  readonly path: string;
  readonly body: object;
  readonly token?: string;
}

function deathAt(kill: number, statements: number): Death {
  if (kill === KILLS) return NEVER;
  return { statement: 1 + ((kill * 7 + 6) % statements), when: kill % 2 === 0 ? 'before' : 'during' };
}

/** Two services over one database: one that lives, and one that is killed. */
async function startNodes() {
  const test = await createTestDatabase(dialect);
  await seedTestDatabase(test.database);
  const options = { dialect, application: 'web', database: test.database, env: testEnvironment() } as const;
  const other = await startService(createApp, options);
  return {
    db: test.database,
    other,
    /** Sends a call that kills the service; undefined if it died before the answer. */
    async callDying(death: Death, { path, body, token }: Sent): Promise<number | undefined> {
      await using dying = await startKilledService(test.url, death);
      const response = await fetch(`${dying.url}/v1/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'node',
          ...(token === undefined ? {} : { token }),
        },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      return response?.status;
    },
    async call({ path, ...sent }: Sent): Promise<FactorAnswer> {
      return readAnswer(await other.send(`/v1/${path}`, sent));
    },
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** A member with an app whose recovery has been waited out, and its ticket. */
async function recoveringMember(db: Database, { services }: RunningService, isSwitchedOn: boolean) {
  const member = await insertTestMember(db, { isConfirmed: true });
  const memberId = member.id;
  const nowMs = Date.now();
  const secret = sealTotpSecret(services, memberId, generateTotpSecret());
  await changeAccess(db, { members: [memberId] }, async (tx) => {
    await setPendingTotp(tx, { memberId, secret, nowMs });
    await confirmTotp(tx, { memberId, secret, step: 0, nowMs });
    await setMemberFactors(tx, memberId, { nowMs, secondFactor: isSwitchedOn });
  });
  const wait = { openedAtMs: nowMs - 26 * HOUR_MS, effectiveAtMs: nowMs - HOUR_MS };
  await insertRecovery(db, { memberId, openedById: 1, reason: 'A test', needsApproval: false, ...wait });
  const recoveryId = (await findOpenRecovery(db, memberId))?.id ?? 0;
  const ticket = randomToken();
  const [digest] = ticketDigests(services, memberId, ticket);
  await setRecoveryTicket(db, { recoveryId, digest, expiresAtMs: nowMs + HOUR_MS });
  return { ...member, memberId, recoveryId, ticket, secret };
}

/** How many sessions have the ticket. */
async function sessionsOf(db: Database, recoveryId: number): Promise<number> {
  return (await db.select().from(db.tables.sessions)).filter((row) => row.recoveryId === recoveryId).length;
}

describe('a service killed between the ticket of a recovery and its answer', () => {
  it(`leaves the ticket used if there is a session that has it, over ${KILLS} kills each way`, async () => {
    await using nodes = await startNodes();
    const { db, other } = nodes;
    let used = 0;
    // The last process is not killed, which shows that the kills ended the others.
    for (const way of ['redeem', 'prove'] as const)
      for (let kill = 0; kill <= KILLS; kill += 1) {
        const member = await recoveringMember(db, other, way === 'redeem');
        const { ticket, recoveryId, memberId } = member;
        const begin = async () => {
          const claims = { type: 'socialLogin', userId: memberId, provider: 'google' } as const;
          const { token } = other.services.tokens.sealOneUse(claims, 300);
          return (await nodes.call({ path: 'signIn/token', body: { token } })).challenge;
        };
        const challenges = way === 'redeem' ? [await begin(), await begin()] : [];
        const callOf = (at: number) =>
          way === 'redeem'
            ? { path: 'signIn/step', body: { challenge: challenges[at], ticket } }
            : { path: 'verification/prove', body: { ticket }, token: member.token };
        const status = await nodes.callDying(deathAt(kill, STATEMENTS[way]), callOf(0));
        const made = await sessionsOf(db, recoveryId);
        const isUsed = ((await findRecovery(db, recoveryId))?.ticketUsedAtMs ?? null) !== null;
        expect([way, kill, isUsed]).toEqual([way, kill, made === 1]);
        if (status === 200 || kill === KILLS) expect([way, kill, made, status]).toEqual([way, kill, 1, 200]);
        used += made;
        // Once more: it is accepted if it was not used, and otherwise never again.
        expect((await nodes.call(callOf(1))).status).toBe(made === 0 ? 200 : 401);
        expect(await sessionsOf(db, recoveryId)).toBe(1);
      }
    printMeasurements('the ticket of a recovery survives kill -9', { kills: 2 * KILLS, used, lostMarks: 0 });
  }, 3_600_000);
});

describe('a service killed while a recovery is completed', () => {
  it(`leaves it completed with the new factor, or open with the old one, over ${KILLS} kills`, async () => {
    await using nodes = await startNodes();
    const { db, other } = nodes;
    let completed = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const { ticket, token, recoveryId, memberId, secret } = await recoveringMember(db, other, false);
      expect((await nodes.call({ path: 'verification/prove', body: { ticket }, token })).status).toBe(200);
      expect((await nodes.call({ path: 'totp/start', body: {}, token })).status).toBe(200);
      const factor = async () =>
        (await db.select().from(db.tables.totpFactors)).find((row) => row.memberId === memberId);
      const pending = openTotpSecret(other.services, memberId, (await factor())?.pendingSecret ?? '');
      const code = totpCode(pending, totpStep(Date.now()));
      const confirm = { path: 'totp/confirm', body: { code }, token };
      await nodes.callDying(deathAt(kill, STATEMENTS.confirm), confirm);
      const { outcome } = (await findRecovery(db, recoveryId)) ?? {};
      const isDone = outcome === 'completed';
      expect([kill, (await factor())?.secret === secret]).toEqual([kill, !isDone]);
      expect([kill, await sessionsOf(db, recoveryId)]).toEqual([kill, isDone ? 0 : 1]);
      if (kill === KILLS) expect(isDone).toBe(true);
      if (isDone) completed += 1;
      else expect((await nodes.call(confirm)).status).toBe(200);
      expect((await findRecovery(db, recoveryId))?.outcome).toBe('completed');
    }
    printMeasurements('completing a recovery survives kill -9', { kills: KILLS, completed, halves: 0 });
  }, 3_600_000);
});
