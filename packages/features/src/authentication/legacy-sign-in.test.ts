import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, isPasswordHash } from '@gatehouse/auth-core';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import {
  blockOf,
  createTestDatabase,
  insertTestMember,
  type RunningService,
  startService,
  type TestMember,
  type TestMemberOptions,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { LEGACY_WAIT_MS } from '../core/legacy-sign-in.js';
import { changeColumn } from '../test/change-column.js';
import { knownHash } from '../test/known-hash.js';
import { knows, type LegacyBehavior, type LegacySystem, startLegacySystem } from '../test/legacy-system.js';

const dialect = inject('dialect');

const RIGHT = 'Old-Harbor-Lantern-42';
const WRONG = 'Not-That-One-17';

const UNTIL = '2099-01-01';

const variables = ({ url, secret }: Pick<LegacySystem, 'url' | 'secret'>) => ({
  LEGACY_SIGN_IN_URL: url,
  LEGACY_SIGN_IN_SECRET: secret,
  LEGACY_SIGN_IN_UNTIL: UNTIL,
});

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly legacy: LegacySystem;
  /** A member as an import without hashes makes one. */
  member(options?: TestMemberOptions): Promise<TestMember>;
}

async function startWorld(
  behavior: LegacyBehavior,
  {
    untilMs = Date.now() + 86_400_000,
    env: more,
    ...options
  }: { now?: () => number; untilMs?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<World> {
  const legacy = await startLegacySystem(behavior);
  const env = { ...variables(legacy), LEGACY_SIGN_IN_UNTIL: new Date(untilMs).toISOString(), ...more };
  const service = await startService(createApp, { dialect, application: 'web', env, ...options });
  return {
    service,
    legacy,
    member: (member) => insertTestMember(service.database, { withSession: false, ...member }),
    async [Symbol.asyncDispose]() {
      await legacy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

interface Attempt {
  readonly status: number;
  readonly code: unknown;
  readonly ms: number;
}

async function signIn(
  service: RunningService,
  email: string,
  password = RIGHT,
  path = '/v1/signIn/password',
): Promise<Attempt> {
  const startedMs = performance.now();
  const response = await service.send(path, { body: { email, password } });
  const { error } = (await response.json()) as { error?: { code?: unknown } };
  return { status: response.status, code: error?.code, ms: performance.now() - startedMs };
}

const stored = async ({ service }: World, { id }: TestMember) => {
  const row = await findCredentialById(service.database, id);
  return row ?? expect.unreachable();
};

/** How many wrong passwords each member has sent in a row. */
async function failuresIn({ database }: RunningService): Promise<Record<string, number>> {
  const { holder, failures } = database.tables.loginFailures;
  const rows = await database.select({ holder, failures }).from(database.tables.loginFailures);
  return Object.fromEntries(rows.filter((row) => row.failures > 0).map((row) => [row.holder, row.failures]));
}

/** Writes columns of a member, past every rule. */
async function change(
  { service: { database } }: World,
  { id }: TestMember,
  columns: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  for (const [column, value] of Object.entries(columns))
    await changeColumn(database, { table: 'members', column, id }, value);
}

const BANNED = { role_type: 11, banned_role_type: 5, banned_until_ms: 8e15, banned_at_ms: 1 };

const NAMELESS = { first_name: '', first_name_key: '', last_name: '', last_name_key: '' };

const DELETED = { is_deleted: 1, deleted_at_ms: 1 };

/** How many requests ended in each way. */
async function outcomesOf({ service }: World): Promise<Record<string, number>> {
  const { text } = await service.services.metrics.render();
  const counted = /gatehouse_legacy_sign_ins_total\{outcome="(\w+)"\} ([1-9]\d*)/g;
  return Object.fromEntries(
    [...text.matchAll(counted)].map(([, outcome = '', count]) => [outcome, Number(count)]),
  );
}

describe.concurrent('the first sign-in of a member who was imported without a password', () => {
  it('asks the other system once, with a signature, and stores the password here', async () => {
    await using world = await startWorld(({ password }) => ({ verified: password === RIGHT }));
    const { service, legacy } = world;
    const member = await world.member();
    expect(await signIn(service, ` ${member.email.toUpperCase()}`)).toMatchObject({ status: 200 });
    expect(legacy.asked).toEqual([{ email: member.email, password: RIGHT }]);
    expect(legacy.refused).toBe(0);
    const row = await stored(world, member);
    expect(row.password).not.toBe(dummyHash);
    expect(isPasswordHash(row.password)).toBe(true);
    expect(await signIn(service, member.email)).toMatchObject({ status: 200 });
    expect(await signIn(service, member.email, WRONG)).toMatchObject({ status: 401 });
    expect(legacy.asked).toHaveLength(1);
    expect(await outcomesOf(world)).toEqual({ verified: 1 });
    const lines = service.logLines.join('');
    expect(lines).toContain('"event":"legacy.answered"');
    for (const secret of [RIGHT, WRONG, member.email, legacy.secret]) expect(lines).not.toContain(secret);
  });

  it.each(['/webauthenticate', '/authenticate', '/v1/signIn/password', '/login', '/trpc/signIn.password'])(
    'asks the other system at %s',
    async (path) => {
      await using world = await startWorld(({ password }) => ({ verified: password === RIGHT }));
      const member = await world.member();
      expect(await signIn(world.service, member.email, RIGHT, path)).toMatchObject({ status: 200 });
      expect(world.legacy.asked).toHaveLength(1);
    },
  );

  it('fills in names that are missing here, and keeps the others', async () => {
    const profile = { firstName: 'Zoë', lastName: 'Mill', role: 0, isPersonnel: true };
    await using world = await startWorld(() => ({ verified: true, profile }));
    const [nameless, named] = [await world.member(), await world.member()];
    await change(world, nameless, NAMELESS);
    for (const member of [nameless, named])
      expect(await signIn(world.service, member.email)).toMatchObject({ status: 200 });
    expect(await stored(world, nameless)).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Mill',
      roleType: 5,
      isPersonnel: false,
    });
    expect(await stored(world, named)).toMatchObject({ firstName: 'Test', lastName: 'Member' });
  });

  it('accepts a password too weak to be chosen here, and then requires the second step', async () => {
    await using world = await startWorld(({ password }) => ({ verified: password === '12345' }));
    const [weak, stepping] = [await world.member(), await world.member()];
    await change(world, stepping, { second_factor: 1 });
    expect(await signIn(world.service, weak.email, '12345')).toMatchObject({ status: 200 });
    expect(await signIn(world.service, stepping.email, '12345')).toMatchObject({
      code: 'second_factor_required',
    });
  });

  it('is refused as a wrong password, and counted, if the other system says so', async () => {
    await using world = await startWorld(({ password }) => ({ verified: password === RIGHT }));
    const member = await world.member();
    const refused = await signIn(world.service, member.email, WRONG);
    expect(refused).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await failuresIn(world.service)).toEqual({ [`member:${member.id}`]: 1 });
    expect(await stored(world, member)).toMatchObject({ password: dummyHash });
  });

  it('is refused if the address belongs to another person there, according to their ids', async () => {
    await using world = await startWorld(({ password }) => ({
      verified: true,
      ...(password !== 'no-id' && { profile: { id: password } }),
    }));
    const { database } = world.service;
    const member = await world.member();
    const known = { kind: 'member', source: 'cognito', memberId: member.id, createdAtMs: 1 } as const;
    await database.insert(database.tables.foreignIds, { ...known, foreignId: 'the-same-id' });
    expect(await signIn(world.service, member.email, 'another-id')).toMatchObject({ status: 401 });
    expect(await signIn(world.service, member.email, 'no-id')).toMatchObject({ status: 401 });
    expect(await signIn(world.service, member.email, 'the-same-id')).toMatchObject({ status: 200 });
    expect(await outcomesOf(world)).toEqual({ otherMember: 2, verified: 1 });
  });

  it('succeeds at one of two services for everyone who sends the password at once, without a second hash', async () => {
    await using legacy = await startLegacySystem(({ password }) => ({ verified: password === RIGHT }));
    await using shared = await createTestDatabase(dialect);
    const { database } = shared;
    const options = { dialect, application: 'web', env: variables(legacy), database } as const;
    await using one = await startService(createApp, options);
    await using other = await startService(createApp, options);
    const member = await insertTestMember(database, { withSession: false });
    const attempts = await Promise.all(
      [one, other, one, other, one, other].map((service) => signIn(service, member.email)),
    );
    expect(attempts.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const before = await findCredentialById(database, member.id);
    expect(await signIn(one, member.email)).toMatchObject({ status: 200 });
    expect(await findCredentialById(database, member.id)).toMatchObject({ password: before?.password });
    const { auditLog } = database.tables;
    const lines = await database.select({ action: auditLog.action }).from(auditLog);
    expect(lines.filter(({ action }) => action === 'password.adopted')).toHaveLength(1);
  });
});

describe.concurrent('the other system is not asked', () => {
  it('about unknown people, members with a password, staff, and members whose password was revoked', async () => {
    await using world = await startWorld(() => ({ verified: true }));
    const { service, legacy } = world;
    const own = await world.member({ passwordHash: await knownHash(RIGHT) });
    const refused = [
      'nobody@many.test',
      own.email,
      (await world.member({ isPersonnel: true })).email,
      (await world.member({ hasPassword: false })).email,
    ];
    const banned = await world.member();
    await change(world, banned, BANNED);
    const deleted = await world.member();
    await change(world, deleted, DELETED);
    const attempts = await Promise.all(
      [...refused, banned.email, deleted.email].map((email) => signIn(service, email, WRONG)),
    );
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    expect(await signIn(service, own.email)).toMatchObject({ status: 200 });
    const tooLong = await signIn(service, (await world.member()).email, 'ä'.repeat(40));
    expect(tooLong).toMatchObject({ status: 401 });
    expect(legacy.asked).toEqual([]);
  });

  it('in the admin service, nor when a signed-in member proves their identity', async () => {
    await using world = await startWorld(() => ({ verified: true }));
    const { legacy, service } = world;
    const member = await world.member({ withSession: true });
    await using admin = await startService(createAdminApp, {
      dialect,
      application: 'admin',
      env: variables(legacy),
      database: service.database,
    });
    expect(await signIn(admin, member.email)).toMatchObject({ status: 401 });
    const calls = [
      ['/v1/verification/prove', { password: RIGHT }],
      ['/v1/password/change', { currentPassword: RIGHT, newPassword: 'Copper-Meadow-Lane-17' }],
    ] as const;
    for (const [path, body] of calls)
      expect((await service.send(path, { body, token: member.token })).status, path).toBe(401);
    expect(legacy.asked).toEqual([]);
  });

  it('after LEGACY_SIGN_IN_UNTIL, and then no sign-in waits', async () => {
    let nowMs = Date.now();
    const until = { now: () => nowMs, untilMs: nowMs + 1_000 };
    await using world = await startWorld(() => ({ verified: true }), until);
    const member = await world.member({ now: () => nowMs });
    nowMs += 2_000;
    const refused = await signIn(world.service, member.email);
    expect(refused).toMatchObject({ status: 401 });
    expect(refused.ms).toBeLessThan(LEGACY_WAIT_MS);
    expect(world.legacy.asked).toEqual([]);
  });
});

/** Another server of this machine, which counts its requests. */
async function startOther(listener: RequestListener) {
  const server = createServer(listener);
  const seen: string[] = [];
  server.on('request', ({ url }) => seen.push(url ?? ''));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') return expect.unreachable();
  return {
    seen,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const FAULTS: Readonly<Record<string, LegacyBehavior>> = {
  'answers nothing': () => undefined,
  'sends one byte at a time': ({ response }) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(drip));
  },
  'hangs up': ({ response }) => void response.destroy(),
  'answers 500': ({ response }) => void response.writeHead(500).end('{"verified":true}'),
  'answers 201': ({ response }) => void response.writeHead(201).end('{"verified":true}'),
  'answers HTML': ({ response }) => void response.writeHead(200).end('<!doctype html><title>Sign in</title>'),
  'answers nothing readable': ({ response }) => void response.writeHead(200).end('{"verified":tr'),
  'answers a text in place of true': () => ({ verified: 'true' }),
  'answers 1 in place of true': () => ({ verified: 1 }),
  'answers without a verdict': () => ({ profile: { firstName: 'Zoë' } }),
  'answers with a list': () => [{ verified: true }],
  'answers more than 16 kB': () => ({ verified: true, profile: { padding: 'a'.repeat(17_000) } }),
  'answers 16 MB': ({ response }) => void response.writeHead(200).end(Buffer.alloc(16_000_000, ' ')),
};

describe.concurrent('while the other system does not answer', () => {
  it.each(Object.entries(FAULTS))(
    'because it %s, sign-ins get 503 and nothing is counted',
    async (...given) => {
      const [, behavior] = given;
      await using world = await startWorld(behavior);
      const { service } = world;
      const member = await world.member();
      const refused = await signIn(service, member.email);
      expect(refused).toMatchObject({ status: 503, code: 'legacy_unavailable' });
      expect(refused.ms).toBeLessThan(LEGACY_WAIT_MS + 2_000);
      expect(await failuresIn(service)).toEqual({});
      expect(await stored(world, member)).toMatchObject({ password: dummyHash });
      expect(await outcomesOf(world)).toEqual({ failed: 1 });
      expect(service.logLines.join('')).toContain('"event":"legacy.unanswered"');
      world.legacy.behave(() => ({ verified: true }));
      expect(await signIn(service, member.email)).toMatchObject({ status: 200 });
    },
  );

  it('attempts count against the address that they come from, and not against the member', async () => {
    const env = { LOGIN_FAILURES_PER_ADDRESS: '2' };
    await using world = await startWorld(({ response }) => void response.destroy(), { env });
    const { service } = world;
    const asked = await world.member();
    for (const status of [503, 503, 429])
      expect(await signIn(service, asked.email, WRONG)).toMatchObject({ status });
    expect(await failuresIn(service)).toEqual({});
    const { key, points } = service.database.tables.limits;
    const counted = await service.database.select({ key, points }).from(service.database.tables.limits);
    const byKind = counted.flatMap(({ key: name, points: taken }) =>
      name.startsWith('login:') ? [[name.split(':')[1], taken]] : [],
    );
    expect(Object.fromEntries(byKind)).toEqual({ address: 2, member: 0 });
  });

  it('follows no redirect', async () => {
    await using other = await startOther((_request, response) => response.end('{"verified":true}'));
    await using world = await startWorld(({ response }) => {
      response.writeHead(307, { location: `${other.url}/inside` }).end();
    });
    const member = await world.member();
    expect(await signIn(world.service, member.email)).toMatchObject({ status: 503 });
    expect(other.seen).toEqual([]);
  });

  it("members with a password sign in without a wait, and a wrong password gets the same answer as everybody's", async () => {
    await using world = await startWorld(({ response }) => void response.destroy());
    const { service } = world;
    const own = await world.member({ passwordHash: await knownHash(RIGHT) });
    const asked = await world.member();
    expect(await signIn(service, asked.email)).toMatchObject({ status: 503 });
    const right = await signIn(service, own.email);
    expect(right).toMatchObject({ status: 200 });
    expect(right.ms).toBeLessThan(LEGACY_WAIT_MS);
    const refused = await Promise.all(
      ['nobody@many.test', own.email, asked.email].map((email) => signIn(service, email, WRONG)),
    );
    for (const each of refused) expect(each).toMatchObject({ status: 503, code: 'legacy_unavailable' });
    const counted = await failuresIn(service);
    expect(counted[`member:${own.id}`]).toBe(1);
    expect(counted[`member:${asked.id}`]).toBeUndefined();
  });
});

it('a wrong password is refused after the same time for every member and for unknown names, however quickly the other system answers', async () => {
  const delays = [0, 800, 2_000];
  await using world = await startWorld(async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, delays.shift() ?? 0);
    });
    return { verified: false };
  });
  const { service } = world;
  const own = await world.member({ passwordHash: await knownHash(RIGHT) });
  const asked = [await world.member(), await world.member(), await world.member()];
  const people = ['nobody@many.test', own.email, ...asked.map(({ email }) => email)];
  // All at the same time, so that a busy machine is equally busy for all.
  const attempts = await Promise.all(people.map((email) => signIn(service, email, WRONG)));
  expect(attempts.map(({ code }) => code)).toEqual(people.map(() => 'invalid_credentials'));
  const times = attempts.map(({ ms }) => ms);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(LEGACY_WAIT_MS);
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(300);
});

/** Answers later, and refuses all but one password. */
const slowly =
  (delayMs: number): LegacyBehavior =>
  async ({ password }) => {
    await new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    });
    return { verified: password === RIGHT };
  };

/** Holds all places, as other nodes would. */
async function holdPlaces({ database }: RunningService, untilMs: number): Promise<void> {
  const { leases } = database.tables;
  for (let at = 0; at < 10; at += 1) {
    const name = `legacy-sign-in:${at}`;
    await database.insertOnce(leases, { name, token: `-${at}:other`, leaseUntilMs: 0, dueAtMs: 0 });
  }
  await database.write(database.update(leases).set({ leaseUntilMs: untilMs }));
}

it.concurrent('guesses at one member take only one place among the requests to the other system, so that other members are not affected', async () => {
  const open: string[] = [];
  let mostOfOne = 0;
  await using world = await startWorld(async (question) => {
    open.push(question.email);
    mostOfOne = Math.max(mostOfOne, open.filter((email) => email === question.email).length);
    const answer = await slowly(500)(question);
    open.splice(open.indexOf(question.email), 1);
    return answer;
  });
  const { service, legacy } = world;
  const own = await world.member({ passwordHash: await knownHash(RIGHT) });
  const [attacker, asked, owner] = [await world.member(), await world.member(), await world.member()];
  const guesses = Array.from({ length: 10 }, (_, at) => signIn(service, attacker.email, `${WRONG}${at}`));
  await expect.poll(() => legacy.asked.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const probes = [own, asked].map(({ email }) => signIn(service, email, WRONG));
  const [signedIn, ...refused] = await Promise.all([
    signIn(service, owner.email),
    signIn(service, 'nobody@many.test', WRONG),
    ...probes,
    ...guesses,
  ]);
  expect(signedIn).toMatchObject({ status: 200 });
  for (const each of refused) expect(each).toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(mostOfOne).toBe(1);
  expect(await failuresIn(service)).toMatchObject({
    [`member:${attacker.id}`]: 10,
    [`member:${asked.id}`]: 1,
    [`member:${own.id}`]: 1,
  });
});

it.concurrent('while no place for a request to the other system is free, and for a minute after, every wrong password gets 503', async () => {
  let nowMs = Date.now();
  await using world = await startWorld(slowly(0), { now: () => nowMs });
  const { service } = world;
  const own = await world.member({ passwordHash: await knownHash(RIGHT), now: () => nowMs });
  const asked = await world.member({ now: () => nowMs });
  const probe = async () => {
    const people = ['nobody@many.test', own.email, asked.email];
    const attempts = await Promise.all(people.map((email) => signIn(service, email, WRONG)));
    return attempts.map(({ status }) => status);
  };
  await holdPlaces(service, Date.now() + 8_500);
  expect(await probe()).toEqual([503, 503, 503]);
  expect(world.legacy.asked).toEqual([]);
  const counted = await failuresIn(service);
  expect(counted).toMatchObject({ [`member:${own.id}`]: 1 });
  expect(counted[`member:${asked.id}`]).toBeUndefined();
  await holdPlaces(service, 0);
  expect(await probe()).toEqual([503, 503, 503]);
  expect(world.legacy.asked).toHaveLength(1);
  expect(await failuresIn(service)).toMatchObject({ [`member:${asked.id}`]: 1 });
  nowMs += 61_000;
  expect(await probe()).toEqual([401, 401, 401]);
});

it.concurrent('a request to the other system waits for a place, whatever the clock of the node that holds it', async () => {
  await using world = await startWorld(slowly(0));
  const [waiting, later] = [await world.member(), await world.member()];
  await holdPlaces(world.service, Date.now() + 700);
  expect(await signIn(world.service, waiting.email)).toMatchObject({ status: 200 });
  await holdPlaces(world.service, Date.now() + 65 * 60_000);
  expect(await signIn(world.service, later.email)).toMatchObject({ status: 200 });
});

it('the nodes ask the other system about at most ten members at once, and refuse others without counting', async () => {
  const delayed: LegacyBehavior = async (asked) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
    return knows(passwords)(asked);
  };
  const passwords: Record<string, string> = {};
  await using legacy = await startLegacySystem(delayed);
  await using shared = await createTestDatabase(dialect);
  const { database } = shared;
  const options = { dialect, application: 'web', env: variables(legacy), database } as const;
  await using one = await startService(createApp, options);
  await using other = await startService(createApp, options);
  const people: TestMember[] = [];
  for (let at = 0; at < 50; at += 1) {
    const member = await insertTestMember(database, { withSession: false });
    passwords[member.email] = RIGHT;
    people.push(member);
  }
  const services = [one, other];
  const attempts = await Promise.all(people.map(({ email }, at) => signIn(services[at % 2] ?? one, email)));
  const of = (status: number) => attempts.filter((attempt) => attempt.status === status).length;
  expect(attempts.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(of(200)).toBeGreaterThanOrEqual(10);
  expect(legacy.mostAtOnce).toBeLessThanOrEqual(10);
  expect(await failuresIn(one)).toEqual({});
  legacy.behave(knows(passwords));
  for (const [at, { email }] of people.entries())
    expect(await signIn(services[at % 2] ?? one, email)).toMatchObject({ status: 200 });
}, 120_000);

describe.concurrent('a change while the other system is asked takes effect', () => {
  const RACES: Readonly<Record<string, (world: World, member: TestMember) => Promise<void>>> = {
    'a new password': async (world, member) =>
      change(world, member, {
        password: await knownHash('Copper-Meadow-Lane-17'),
        password_changed_at_ms: 5,
      }),
    'a ban': (world, member) => change(world, member, BANNED),
    'a deletion': (world, member) => change(world, member, DELETED),
    'a new address': (world, member) =>
      change(world, member, { email: 'moved@many.test', email_key: 'moved@many.test' }),
    'a promotion': (world, member) => change(world, member, { is_personnel: 1 }),
    'a take-over': (world, member) => change(world, member, { has_password: 0, password_changed_at_ms: 5 }),
  };

  it.each(Object.entries(RACES))('%s: nothing is written, and the sign-in is refused', async (...given) => {
    const [, happen] = given;
    const race: { begin?: () => Promise<void> } = {};
    await using world = await startWorld(async () => {
      await race.begin?.();
      return { verified: true, profile: { firstName: 'Zoë', lastName: 'Mill' } };
    });
    const member = await world.member();
    await change(world, member, NAMELESS);
    let before: unknown;
    race.begin = async () => {
      await happen(world, member);
      before = await findCredentialById(world.service.database, member.id);
    };
    expect(await signIn(world.service, member.email)).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    });
    expect(await findCredentialById(world.service.database, member.id)).toEqual(before);
    expect(await outcomesOf(world)).toEqual({ overtaken: 1 });
  });

  it('when LEGACY_SIGN_IN_UNTIL passes', async () => {
    let nowMs = Date.now();
    const until = { now: () => nowMs, untilMs: nowMs + 1_000 };
    await using world = await startWorld(() => {
      nowMs += 2_000;
      return { verified: true };
    }, until);
    const member = await world.member({ now: () => nowMs });
    expect(await signIn(world.service, member.email)).toMatchObject({ status: 401 });
    expect(await stored(world, member)).toMatchObject({ password: dummyHash });
  });
});

it('asks, and takes answers, in the forms that the guide to imports shows', async () => {
  const guide = (text: string) => blockOf('docs/importing.md', text);
  const [yes = '', no = ''] = guide('"verified":false').split('\n');
  const asked: string[] = [];
  let answer = no;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    void buffer(request).then((body) => {
      const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const lines = names.map((name) => `${name}: ${String(headers[name])}`);
      asked.push([`${method} ${url}`, ...lines, '', `${body.toString()}\n`].join('\n'));
      response.end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const secret = Buffer.alloc(32, 7).toString('base64');
  const settings = guide('LEGACY_SIGN_IN_URL=')
    .replace('https://old.example.com', `http://127.0.0.1:${port}`)
    .replace('whsec_…', `whsec_${secret}`);
  const now = () => Date.UTC(2026, 10, 30);
  const env = parseEnv(settings) as Record<string, string>;
  await using service = await startService(createApp, { dialect, application: 'web', env, now });
  try {
    const { email } = await insertTestMember(service.database, { withSession: false });
    expect(await signIn(service, email)).toMatchObject({ status: 401 });
    answer = yes;
    expect(await signIn(service, email)).toMatchObject({ status: 200 });
    const shown = guide('POST /verify').replace('zoe@mill.test', email).replace('"…"', `"${RIGHT}"`);
    expect(asked).toHaveLength(2);
    for (const request of asked)
      expect(
        request
          .replace(/(?<=: ask_).+/, '…')
          .replace(/(?<=timestamp: )\d{10}(?=\n)/, '1795951800')
          .replace(/(?<=: v1,).+/, '…'),
      ).toBe(shown);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
