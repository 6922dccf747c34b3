import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import {
  createTestDatabase,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type Death, type KilledService, startKilledService } from '../test/killed-service.js';
import { partnerClient } from '../test/partner-client.js';

const dialect = inject('dialect');

/** A fast machine makes more than the usual number in a minute. */
const LIMITS = { PARTNER_REGISTRATIONS_PER_MINUTE: '1000000' };

/** Begin, member, account, membership, subscription, link, audit line, partner, commit. */
const STATEMENTS = 9;
const AT_ONCE = 2;

/** Kills at every statement in turn, before and during it, spread evenly over the requested number. */
function deaths(count: number): Death[] {
  return Array.from({ length: count }, (_, index) => ({
    statement: 1 + (Math.floor((index * STATEMENTS) / Math.min(count, STATEMENTS)) % STATEMENTS),
    when: index % 2 === 0 ? ('during' as const) : ('before' as const),
  }));
}

/** How many rows of each kind exist: all grow together, or none does. */
async function countRows(db: Database): Promise<number[]> {
  const { members, accounts, memberships, subscriptions, partnerMembers, auditLog } = db.tables;
  const lines = await db.select({ action: auditLog.action }).from(auditLog);
  const registered = lines.filter(({ action }) => action === 'partner.user_registered').length;
  const people = await db.select({ partnerId: members.createdByPartnerId }).from(members);
  const owned = await db.select({ partnerId: accounts.createdByPartnerId }).from(accounts);
  return [
    people.filter(({ partnerId }) => partnerId === 1).length,
    owned.filter(({ partnerId }) => partnerId === 1).length,
    (await db.select({ id: memberships.id }).from(memberships)).length,
    (await db.select({ id: subscriptions.id }).from(subscriptions)).length,
    (await db.select({ id: partnerMembers.id }).from(partnerMembers)).length,
    registered,
  ];
}

function growth(before: readonly number[], after: readonly number[]): Set<number> {
  return new Set(after.map((rows, index) => rows - (before[index] ?? 0)));
}

/** The server may notice late that a transaction's client is gone. */
async function settled(db: Database): Promise<number[]> {
  for (let last: string | undefined; ; ) {
    const counts = await countRows(db);
    if (JSON.stringify(counts) === last) return counts;
    last = JSON.stringify(counts);
    await pause(50);
  }
}

describe('a registration by a partner, killed with SIGKILL at any statement', () => {
  it('is complete or absent, and can be made again when absent', { timeout: 1_200_000 }, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database } = test;
    await seedTestDatabase(database);
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database,
      env: LIMITS,
    });
    const { token } = await partnerClient(service);
    const planned = deaths(rounds({ suite: 2, stress: 100 }));
    const found = { complete: 0, absent: 0, answered: 0 };

    const registerAtDying = async (number: number, dying: KilledService) => {
      const before = await settled(database);
      const body = JSON.stringify({
        email: `user-${number}@example.org`,
        firstName: 'Ada',
        lastName: 'Byron',
      });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const register = (base: string) =>
        fetch(`${base}/partnerAuth/registerUser`, { method: 'POST', headers, body });
      const answer = await register(dying.url).catch(() => undefined);
      expect(answer?.status ?? 200).toBe(200);
      await dying.ended;
      const grown = growth(before, await settled(database));
      expect(grown.size).toBe(1);
      const isComplete = grown.has(1);
      if (answer !== undefined) expect(isComplete).toBe(true);
      found.answered += answer === undefined ? 0 : 1;
      found[isComplete ? 'complete' : 'absent'] += 1;
      expect((await register(service.url)).status).toBe(isComplete ? 409 : 200);
    };

    for (let start = 0; start < planned.length; start += AT_ONCE) {
      const killed = await Promise.all(
        planned.slice(start, start + AT_ONCE).map((death) => startKilledService(url, death, 'web', LIMITS)),
      );
      try {
        for (const [index, dying] of killed.entries()) await registerAtDying(start + index, dying);
      } finally {
        for (const dying of killed) await dying[Symbol.asyncDispose]();
      }
    }
    expect(found.absent).toBeGreaterThan(0);
    printMeasurements(`a registration killed at any statement is complete or absent (${dialect})`, {
      rounds: planned.length,
      ...found,
    });
  });
});
