import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTokenKeys, sealToken } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import {
  insertTestMember,
  isStressRun,
  printMeasurements,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
  startPrivateMariadb,
  testConfig,
} from '@gatehouse/testkit';
import { startLossyLink } from '@gatehouse/testkit/operations';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const MAX_ANSWER_MS = 6_000;
const MAX_RECOVERY_MS = 6_000;
const POOL_SIZE = 10;
const SCHEMA = 'gatehouse';

const KINDS = [
  { kind: 'plain SELECT', statement: /^select/i, moment: 'before' },
  { kind: 'BEGIN', statement: /^START TRANSACTION/i, moment: 'before' },
  { kind: 'INSERT', statement: /^insert/i, moment: 'before' },
  { kind: 'UPDATE', statement: /^update/i, moment: 'before' },
  { kind: 'COMMIT', statement: /^COMMIT/i, moment: 'before' },
  { kind: 'answer of a COMMIT', statement: /^COMMIT/i, moment: 'after' },
  { kind: 'ROLLBACK', statement: /^ROLLBACK/i, moment: 'before' },
] as const;

/** Other cases take minutes. The test of the database handle covers them. */
const STEPS = isStressRun() ? KINDS : KINDS.filter(({ kind }) => kind.endsWith('COMMIT'));
const CALLERS = isStressRun() ? [1, 12] : [12];

async function startPlace() {
  const server = await startPrivateMariadb();
  const url = await server.createSchema(SCHEMA);
  const db = await openDatabase(url, { poolSize: 1 });
  await db.migrate();
  await seedTestDatabase(db);
  const { token } = await insertTestMember(db, { memberships: { 1: 2 } });
  const link = await startLossyLink({ host: '127.0.0.1', port: server.port });
  const service = await spawnService('api-main', {
    databaseUrl: url.replace(`:${server.port}/`, `:${link.port}/`),
    env: {
      ...(isStressRun() ? {} : { DATABASE_TIMEOUT_MS: '2000' }),
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      LOG_LEVEL: 'error',
    },
  });
  return {
    db,
    link,
    service,
    token,
    /** The server's connections that belong to the service. */
    serverThreads: async () =>
      (await server.ask("select 1 from information_schema.processlist where command <> 'Daemon'")).length -
      OF_THE_TEST,
    countMembers: async (username: string) =>
      (await server.ask(`select 1 from ${SCHEMA}.members where username = ?`, [username])).length,
    countSessions: async (memberId: number) =>
      (await server.ask(`select 1 from ${SCHEMA}.sessions where member_id = ?`, [memberId])).length,
    async [Symbol.asyncDispose]() {
      await db.close();
      await service[Symbol.asyncDispose]();
      await link[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The connection of the test's own handle, and the queried one. */
const OF_THE_TEST = 2;

interface Answer {
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: string | null;
  readonly tookMs: number;
}

async function timed(...request: [SpawnedService, ...Parameters<SpawnedService['send']>]): Promise<Answer> {
  const [service, ...rest] = request;
  const startedMs = performance.now();
  const response = await service.send(...rest);
  await response.arrayBuffer();
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: response.headers.get('retry-after'),
    tookMs: performance.now() - startedMs,
  };
}

const person = (username: string) => ({
  username,
  password: randomBytes(9).toString('hex'),
  email: `${username}@lost.test`,
});

async function until(condition: () => Promise<boolean>, withinMs: number): Promise<number> {
  const startedMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedMs > withinMs) throw new Error('it does not come to that');
    await pause(25);
  }
  return performance.now() - startedMs;
}

const unknownLine = z.object({ event: z.literal('commit.unknown'), requestId: z.string().optional() });

/** The requests with `commit.unknown` in the log; jobs have no request. */
function unknownCommits(service: SpawnedService): Set<string | undefined> {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"commit.unknown"'));
  return new Set(lines.map((line) => unknownLine.parse(JSON.parse(line)).requestId));
}

describe('a service whose database connections lose packets', () => {
  it('answers in time, applies nothing twice, loses no connection and serves again at once', {
    timeout: 600_000,
  }, async () => {
    await using place = await startPlace();
    const { db, link, service, token } = place;
    const keys = createTokenKeys({ secret: testConfig().JWT_SECRET_KEY });
    const callGuarded = () => timed(service, '/auth/me', { token, accountId: 1 });
    expect((await callGuarded()).status).toBe(200);

    for (const [step, { kind, statement, moment }] of STEPS.entries()) {
      for (const callers of CALLERS) {
        const people = Array.from({ length: callers }, (_, caller) =>
          person(`p${step}-${callers}-${caller}`),
        );
        const members = await Promise.all(people.map(() => insertTestMember(db, { memberships: { 3: 2 } })));
        const sealed = members.map(({ id }) => {
          const options = { nowMs: Date.now(), ttlSeconds: 600 };
          return sealToken(keys, { type: 'socialLogin', userId: id, provider: 'google' }, options).token;
        });
        const register = people.map((body) => () => timed(service, '/register', { body }));
        const redeem = sealed.map(
          (one) => () => timed(service, '/webauthenticate', { body: { tempLogin: true, token: one } }),
        );

        link.loseAt(statement, moment);
        const changes = [...register, ...redeem].map((send) => send());
        const answers = await Promise.all([...changes, ...people.map(callGuarded)]);
        link.forward();
        const recoveryMs = await until(async () => (await callGuarded()).status === 200, MAX_RECOVERY_MS);
        expect((await timed(service, '/readyz')).status).toBe(200);

        const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
        const refused = answers.filter(({ status }) => status === 503);
        printMeasurements(`a service that loses a ${kind}`, {
          callers,
          refused: refused.length,
          slowestMs: Math.round(slowestMs),
          recoveryMs: Math.round(recoveryMs),
        });
        expect([kind, slowestMs < MAX_ANSWER_MS]).toEqual([kind, true]);
        expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
        expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
        if (kind.endsWith('COMMIT')) {
          const lost = (await Promise.all(changes)).filter(({ status }) => status === 503);
          expect(lost.length).toBeGreaterThanOrEqual(callers);
          const told = unknownCommits(service);
          expect(lost.filter(({ requestId }) => told.has(requestId ?? '-'))).not.toEqual([]);
        }

        // Everybody who was refused repeats the call, and it takes effect once.
        const isDone = async (send: () => Promise<Answer>) => (await send()).status < 500;
        await Promise.all([...register, ...redeem].map((send) => until(() => isDone(send), MAX_RECOVERY_MS)));
        for (const { username } of people) expect(await place.countMembers(username)).toBe(1);
        // One session for the test, and one for the token.
        for (const { id } of members) expect(await place.countSessions(id)).toBeLessThanOrEqual(2);

        await until(async () => link.statistics.clientSockets === (await place.serverThreads()), 10_000);
        expect(link.statistics.clientSockets).toBeLessThanOrEqual(POOL_SIZE + 1);
      }
    }
  });

  it('is ready exactly while new connections work', { timeout: 120_000 }, async () => {
    await using place = await startPlace();
    const { link, service } = place;
    link.silence();
    const ready = await timed(service, '/readyz');
    expect(ready.status).toBe(200);
    expect(ready.tookMs).toBeLessThan(1_000);
    link.silenceNew(true);
    const away = await timed(service, '/readyz');
    expect(away.status).toBe(503);
    expect(away.tookMs).toBeLessThan(MAX_ANSWER_MS);
    link.silenceNew(false);
    await until(async () => (await timed(service, '/readyz')).status === 200, MAX_RECOVERY_MS);
  });
});
