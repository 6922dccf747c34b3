import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@gatehouse/auth-core';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  createTestDatabase,
  insertTestMember,
  isStressRun,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  signInByPassword,
  spawnService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import type { LoginStorm, StormAnswer } from '../test/send-logins.js';

const SENDER = fileURLToPath(new URL('../test/send-logins.ts', import.meta.url));
const LOGINS = rounds({ suite: 60, stress: 600 });

/** In the suite the queue is shorter too, so that some logins are refused there as well. */
const PASSWORD_HASH_QUEUE = String(rounds({ suite: 20, stress: 200 }));

/** The first burst meets a cold service; only the others are measured. */
const STORMS = rounds({ suite: 1, stress: 6 });
const CALL_EVERY_MS = 10;

describe('a storm of logins', () => {
  it('answers each login in time, with a session or 503, and does not slow guarded calls', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(own.database);
    const passwordHash = await hashPassword(DEMONSTRATION_PASSWORD);
    const emails: string[] = [];
    while (emails.length < LOGINS) {
      emails.push((await insertTestMember(own.database, { passwordHash, withSession: false })).email);
    }
    const options = { databaseUrl: own.url, env: { PASSWORD_HASH_QUEUE, PASSWORD_HASH_WAIT_MS: '6000' } };
    await using service = await spawnService('api-main', options);
    const { token } = await signInByPassword(service, 'owner@acme.test');
    const storms = [];
    for (let storm = 0; storm < STORMS; storm += 1) {
      const { logins, guarded } = await stormOver(service, emails, token);
      const signedIn = logins.filter(({ status }) => status === 200).length;
      const shed = logins.filter(({ status, retryAfter }) => status === 503 && retryAfter > 0).length;
      const figures = {
        signedIn,
        shed,
        slowestLoginMs: Math.round(Math.max(...logins.map(({ tookMs }) => tookMs))),
        guardedCalls: guarded.length,
        guardedP50Ms: Math.round(percentile(guarded, 0.5)),
        guardedP99Ms: Math.round(percentile(guarded, 0.99)),
      };
      printMeasurements(`storm ${storm + 1} of ${LOGINS} logins on ${inject('dialect')}`, figures);
      expect(signedIn + shed).toBe(LOGINS);
      expect(Math.min(signedIn, shed)).toBeGreaterThan(0);
      expect(guarded.filter(({ status }) => status !== 200)).toEqual([]);
      storms.push(figures);
    }
    if (!isStressRun()) return;
    expect(Math.max(...storms.map(({ slowestLoginMs }) => slowestLoginMs))).toBeLessThan(10_000);
    const p99s = storms.slice(1).map(({ guardedP99Ms }) => guardedP99Ms);
    expect(p99s.sort((one, other) => one - other)[Math.floor(p99s.length / 2)]).toBeLessThan(100);
  });
});

interface TimedCall {
  readonly status: number;
  readonly tookMs: number;
}

/** All logins at once, and a guarded call every ten milliseconds until the last one is answered. */
async function stormOver(service: SpawnedService, emails: readonly string[], token: string) {
  let isOver = false;
  const storm = sendStorm({ url: service.url, emails, password: DEMONSTRATION_PASSWORD }).finally(() => {
    isOver = true;
  });
  const calls: Promise<TimedCall>[] = [];
  while (!isOver) {
    calls.push(timed(() => service.send('/auth/me', { token, accountId: 1 })));
    await pause(CALL_EVERY_MS);
  }
  return { logins: await storm, guarded: await Promise.all(calls) };
}

async function timed(send: () => Promise<Response>): Promise<TimedCall> {
  const startedMs = performance.now();
  const response = await send();
  await response.arrayBuffer();
  return { status: response.status, tookMs: performance.now() - startedMs };
}

function percentile(calls: readonly TimedCall[], share: number): number {
  const sorted = calls.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY;
}

/** The sender is a separate process, so that its own work is not measured as waiting. */
async function sendStorm(storm: LoginStorm): Promise<readonly StormAnswer[]> {
  const sender = fork(SENDER, { execArgv: ['--conditions=@gatehouse/source', '--import', 'tsx'] });
  sender.send(storm);
  const [answers] = await once(sender, 'message');
  sender.disconnect();
  return answers as readonly StormAnswer[];
}
