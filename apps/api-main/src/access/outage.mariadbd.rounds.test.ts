import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@gatehouse/db/open-database';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  insertTestMember,
  type PrivateMariadb,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { type SlowLink, startSlowLink } from '@gatehouse/testkit/operations';
import { describe, expect, it } from 'vitest';

const MAX_ANSWER_MS = 5_000;
const MAX_RECOVERY_MS = 5_000;

interface Absence {
  readonly name: string;
  leave(server: PrivateMariadb): Promise<void>;
  comeBack(server: PrivateMariadb): Promise<void>;
  readonly awayMs: number;
}

const ABSENCES: readonly Absence[] = [
  {
    name: 'killed and started again',
    leave: (server) => server.kill9(),
    comeBack: (server) => server.restart(),
    awayMs: rounds({ suite: 1, stress: 5_000 }),
  },
  {
    name: 'suspended',
    leave: (server) => server.pause(),
    comeBack: (server) => Promise.resolve(server.resume()),
    awayMs: rounds({ suite: 1, stress: 30_000 }),
  },
];

async function filledSchema(server: PrivateMariadb) {
  const url = await server.createSchema('gatehouse');
  const db = await openDatabase(url);
  await db.migrate();
  await seedTestDatabase(db);
  const { token } = await insertTestMember(db, { memberships: { 1: 2 } });
  await db.close();
  return { url, token };
}

const startOver = (databaseUrl: string, limits: { DATABASE_TIMEOUT_MS?: string }) =>
  spawnService('api-main', { databaseUrl, env: { LOG_LEVEL: 'error', ...limits } });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function timed(send: () => Promise<Response>): Promise<Answer> {
  const startedAt = performance.now();
  const response = await send();
  await response.arrayBuffer();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, ms: performance.now() - startedAt };
}

const callGuarded = (service: SpawnedService, token: string) =>
  timed(() => service.send('/auth/me', { token, accountId: 1 }));

const logIn = (service: SpawnedService) => {
  const body = { email: 'owner@acme.test', password: DEMONSTRATION_PASSWORD };
  return timed(() => service.send('/webauthenticate', { body }));
};

/** Twenty guarded calls and two logins at once. */
const callMany = (service: SpawnedService, token: string): Promise<Answer[]> =>
  Promise.all([
    ...Array.from({ length: 20 }, () => callGuarded(service, token)),
    ...Array.from({ length: 2 }, () => logIn(service)),
  ]);

/** Calls until this time has passed, at least once. */
async function callFor(service: SpawnedService, token: string, lengthMs: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  const startedAt = performance.now();
  do {
    answers.push(...(await callMany(service, token)));
    answers.push(await timed(() => service.send('/readyz')));
    await pause(100);
  } while (performance.now() - startedAt < lengthMs);
  return answers;
}

function expectRefusals(answers: readonly Answer[]): number {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  expect(slowest).toBeLessThan(MAX_ANSWER_MS);
  return slowest;
}

/** The time until a guarded call and a login succeed again. */
async function recovery(service: SpawnedService, token: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const answers = await Promise.all([callGuarded(service, token), logIn(service)]);
    const tookMs = Math.round(performance.now() - startedAt);
    if (answers.every(({ status }) => status === 200)) return tookMs;
    if (tookMs > 4 * MAX_RECOVERY_MS) throw new Error('the service does not recover');
    await pause(50);
  }
}

describe('a database that goes away', () => {
  it('makes every request fail with 503 in time, and the same process answers again once it is back', {
    timeout: 240_000,
  }, async () => {
    await using server = await startPrivateMariadb();
    const { url, token } = await filledSchema(server);
    await using link = await startSlowLink(server.port);
    await using service = await startOver(url.replace(`:${server.port}/`, `:${link.port}/`), {
      DATABASE_TIMEOUT_MS: '1000',
    });
    expect((await callGuarded(service, token)).status).toBe(200);

    for (const { name, leave, comeBack, awayMs } of ABSENCES) {
      await leave(server);
      const answers = await callFor(service, token, awayMs);
      await comeBack(server);
      const recoveryMs = await recovery(service, token);
      const slowestMs = expectRefusals(answers);
      printMeasurements(`a database that is ${name}`, {
        awayMs,
        refused: answers.length,
        slowestMs,
        recoveryMs,
      });
      expect([name, recoveryMs < MAX_RECOVERY_MS]).toEqual([name, true]);
    }

    const { answers, recoveryMs } = await callOver(link, service, token);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('answers nearly every request over a slow network with the default time-out', async () => {
    await using server = await startPrivateMariadb();
    const { url, token } = await filledSchema(server);
    await using link = await startSlowLink(server.port);
    await using service = await startOver(url.replace(`:${server.port}/`, `:${link.port}/`), {});
    // A service under load: one that has just started makes its connections, at five round trips each, and runs all its jobs.
    for (const { status } of await callMany(service, token)) expect(status).toBe(200);
    const { answers, refused, slowestMs, recoveryMs } = await callOver(link, service, token);
    expect(refused.length).toBeLessThan(answers.length / 10);
    expect(slowestMs).toBeLessThan(2 * MAX_ANSWER_MS);
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });
});

/** What a service answers while each packet to its database and back takes 100 ms more. */
async function callOver(link: SlowLink, service: SpawnedService, token: string) {
  link.setDelay(100);
  const answers = await callFor(service, token, rounds({ suite: 1, stress: 20_000 }));
  link.setDelay(0);
  const recoveryMs = await recovery(service, token);
  const slowestMs = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  const refused = answers.filter(({ status }) => status === 503);
  printMeasurements('a database that answers 200 ms later', {
    answers: answers.length,
    refused: refused.length,
    slowestMs,
    recoveryMs,
  });
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  expect(slowestMs).toBeGreaterThan(400);
  return { answers, refused, slowestMs, recoveryMs };
}
