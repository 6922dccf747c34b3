import { pbkdf2Sync } from 'node:crypto';
import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, foreignHash, hashPassword, passwordCost } from '@gatehouse/auth-core';
import { findMostPasswordCost } from '@gatehouse/db/queries/imported-passwords';
import { findCredentialById, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { createPasswordHasher } from '@gatehouse/runtime/passwords/password-hasher';
import { runHashJob } from '@gatehouse/runtime/passwords/run-hash-job';
import { FOREIGN_VECTORS } from '@gatehouse/runtime/test/foreign-vectors';
import {
  createTestDatabase,
  insertTestMember,
  type RunningService,
  signInByPassword,
  spawnService,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const start = () =>
  startService(createApp, { dialect, application: 'web', env: { NODE_ENV: 'development' } });

const COSTLY = `$foreign$phpass$$P$H${'.'.repeat(30)}`;

const DELAY_MS = 2148;

const BRIEF = `$foreign$phpass$$P$E${'.'.repeat(30)}`;

const BRIEF_MS = 313;

const djangoHash = (password: string) => {
  const key = pbkdf2Sync(password, 'NaCl', 1000, 32, 'sha256').toString('base64');
  return foreignHash(`pbkdf2_sha256$1000$NaCl$${key}`) ?? expect.unreachable();
};

/** A service where fewer passwords are hashed at once, or wait. */
const startWith = (limits: { concurrency: number; queueLimit: number }) => {
  const passwords = createPasswordHasher({ ...limits, longestWaitMs: 10_000, runHashJob });
  return startService((services) => createApp({ ...services, passwords }), { dialect, application: 'web' });
};

async function insertImported({ database }: Pick<RunningService, 'database'>, stored: string) {
  const member = await insertTestMember(database, { withSession: false });
  expect(await setPasswordHash(database, member.id, dummyHash, stored, passwordCost(stored))).toBe(true);
  return member;
}

async function logIn(service: RunningService, email: string, password: string) {
  const startedMs = performance.now();
  const { status } = await service.send('/webauthenticate', { body: { email, password } });
  return { status, ms: performance.now() - startedMs };
}

/** How many wrong passwords each member has sent in a row. */
async function failuresIn({ database }: RunningService): Promise<Record<string, number>> {
  const { loginFailures } = database.tables;
  const { holder, failures } = loginFailures;
  const rows = await database.select({ holder, failures }).from(loginFailures);
  return Object.fromEntries(rows.map((row) => [row.holder, row.failures]));
}

/** One of each form, and one with letters that take more than a byte. */
const EACH_FORM = FOREIGN_VECTORS.filter(
  ([, password], at) => password === 'Lantern-Harbor-42' || (password.includes('ü') && at < 4),
);

describe('a member with the password hash of another system', () => {
  it('has one of at least 20 hash formats', () => {
    expect(EACH_FORM.length).toBeGreaterThanOrEqual(20);
    expect(new Set(EACH_FORM.map(([kind]) => kind)).size).toBe(5);
  });

  it.each(EACH_FORM)(
    'with %s signs in with the password %s the first time and again: %s',
    async (...form) => {
      const [, password, text] = form;
      await using service = await start();
      const stored = foreignHash(text) ?? expect.unreachable();
      const { id, email } = await insertImported(service, stored);
      expect((await logIn(service, email, 'wrong-password')).status).toBe(401);
      expect(await failuresIn(service)).toEqual({ [`member:${id}`]: 1 });
      expect(await findCredentialById(service.database, id)).toMatchObject({ password: stored });
      await signInByPassword(service, email, password);
      expect(await failuresIn(service)).toEqual({ [`member:${id}`]: 0 });
      expect(await findCredentialById(service.database, id)).toMatchObject({
        password: expect.stringMatching(/^\$2b\$10\$/),
        passwordRounds: null,
        passwordDelayMs: null,
      });
      expect(await findMostPasswordCost(service.database)).toEqual({});
      const uses = await service.database.select().from(service.database.tables.passwordUses);
      expect(uses).toEqual([{ kind: form[0], lastUsedAtMs: expect.any(Number) }]);
      await signInByPassword(service, email, password);
      expect((await logIn(service, email, 'wrong-password')).status).toBe(401);
    },
  );

  it('signs in with the password in another normal form, and in the form in which it was hashed', async () => {
    await using service = await start();
    for (const [password, sent] of [
      ['Zürich-Médoc-42', 'Zürich-Médoc-42'.normalize('NFD')],
      ['Zürich-Médoc-42'.normalize('NFD'), 'Zürich-Médoc-42'.normalize('NFD')],
    ] as const) {
      const { id, email } = await insertImported(service, djangoHash(password));
      await signInByPassword(service, email, sent);
      await signInByPassword(service, email, 'Zürich-Médoc-42');
      expect((await findCredentialById(service.database, id))?.password).toMatch(/^\$2b\$10\$/);
    }
  });

  it('does not sign in with a password longer than 72 bytes after normalization, and each attempt counts', async () => {
    await using service = await start();
    const password = 'กำ'.repeat(12);
    const { id, email } = await insertImported(service, djangoHash(password));
    for (const tries of [1, 2]) {
      expect((await logIn(service, email, password)).status).toBe(401);
      expect(await failuresIn(service)).toEqual({ [`member:${id}`]: tries });
    }
  });

  it('signs in to a built service, where the worker is another file', async () => {
    await using test = await createTestDatabase(dialect);
    await test.database.migrate();
    await using service = await spawnService('api-main', { databaseUrl: test.url });
    for (const kind of ['argon2', 'phpass', 'sha-crypt']) {
      const [, password, text] = EACH_FORM.find(([own]) => own === kind) ?? expect.unreachable();
      const { email } = await insertImported(test, foreignHash(text) ?? '');
      const body = { email, password: 'wrong-password' };
      expect((await service.send('/webauthenticate', { body })).status).toBe(401);
      await signInByPassword(service, email, password);
      await signInByPassword(service, email, password);
    }
  });

  it('is asked to try again while the hash cannot be computed, and no failure is counted', async () => {
    const [, password, text] = EACH_FORM.find(([kind]) => kind === 'phpass') ?? expect.unreachable();
    let isBroken = true;
    const passwords = createPasswordHasher({
      concurrency: 2,
      queueLimit: 10,
      longestWaitMs: 10_000,
      runHashJob: (job) => (isBroken ? Promise.reject(new Error('no memory')) : runHashJob(job)),
    });
    await using service = await startService((services) => createApp({ ...services, passwords }), {
      dialect,
      application: 'web',
    });
    const { id, email } = await insertImported(service, foreignHash(text) ?? '');
    for (const given of [password, 'wrong-password']) {
      const answer = await service.send('/webauthenticate', { body: { email, password: given } });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    }
    expect((await failuresIn(service))[`member:${id}`]).toBe(0);
    isBroken = false;
    await signInByPassword(service, email, password);
  });

  it('never signs in with the stored value, or with a hash that SQL wrote without its mark', async () => {
    await using service = await start();
    const [, password, text] = FOREIGN_VECTORS[0] ?? expect.unreachable();
    const stored = foreignHash(text) ?? '';
    const marked = await insertImported(service, stored);
    for (const wrong of [stored, text]) expect((await logIn(service, marked.email, wrong)).status).toBe(401);
    const bare = await insertImported(service, text);
    for (const wrong of [password, text]) expect((await logIn(service, bare.email, wrong)).status).toBe(401);
  });
});

describe('while a hash of another system is stored', () => {
  it('a wrong password is refused no sooner than the costliest hash takes, and a right one is accepted at once', async () => {
    await using service = await start();
    const unknown = 'nobody@acme.test';
    const own = await insertImported(service, await hashPassword('Velvet-Meadow-31'));
    expect((await logIn(service, unknown, 'wrong-password')).ms).toBeLessThan(DELAY_MS);
    const { id, email } = await insertImported(service, COSTLY);
    expect(await findMostPasswordCost(service.database)).toEqual({ delayMs: DELAY_MS });
    for (const login of [unknown, own.email, email]) {
      const { status, ms } = await logIn(service, login, 'wrong-password');
      expect([login, status, ms >= DELAY_MS]).toEqual([login, 401, true]);
    }
    const right = await logIn(service, own.email, 'Velvet-Meadow-31');
    expect([right.status, right.ms < DELAY_MS]).toEqual([200, true]);
    await setPasswordHash(service.database, id, COSTLY, dummyHash);
    expect((await logIn(service, unknown, 'wrong-password')).ms).toBeLessThan(DELAY_MS);
  });

  it('a comparison waits outside the queue, so that others sign in meanwhile', async () => {
    await using service = await start();
    const own = await insertImported(service, await hashPassword('Velvet-Meadow-31'));
    await insertImported(service, COSTLY);
    const refused = Array.from({ length: 12 }, (_, at) => logIn(service, `nobody${at}@acme.test`, 'wrong'));
    const isFirst = await Promise.race([
      Promise.any(refused).then(() => false),
      logIn(service, own.email, 'Velvet-Meadow-31').then(() => true),
    ]);
    expect(isFirst).toBe(true);
    for (const { status } of await Promise.all(refused)) expect(status).toBe(401);
  });

  it('wrong passwords in a burst are refused one after the other, for every member and for unknown names', async () => {
    await using service = await startWith({ concurrency: 2, queueLimit: 10 });
    const own = await insertImported(service, await hashPassword('Velvet-Meadow-31'));
    const { email } = await insertImported(service, BRIEF);
    for (const login of ['nobody@acme.test', own.email, email]) {
      const refused = await Promise.all(Array.from({ length: 3 }, () => logIn(service, login, 'wrong')));
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
      for (const [at, { ms }] of refused.toSorted((one, other) => one.ms - other.ms).entries())
        expect([login, at, ms >= (at + 1) * BRIEF_MS]).toEqual([login, at, true]);
    }
  });

  it('when too many logins wait, every password gets 503 and is counted, unless it is right and stored in our own hash', async () => {
    await using service = await startWith({ concurrency: 2, queueLimit: 0 });
    const own = await insertImported(service, await hashPassword('Velvet-Meadow-31'));
    const { id, email } = await insertImported(service, djangoHash('Lantern-Harbor-42'));
    await insertImported(service, COSTLY);
    const first = logIn(service, 'somebody@acme.test', 'wrong');
    await expect.poll(() => failuresIn(service)).not.toEqual({});
    for (const login of ['nobody@acme.test', own.email, email]) {
      // Until the first request holds the only place, the next one may be the first.
      const refused = await Promise.all([logIn(service, login, 'wrong'), logIn(service, login, 'wrong')]);
      expect([login, refused.map(({ status }) => status).includes(503)]).toEqual([login, true]);
      expect(await logIn(service, own.email, 'Velvet-Meadow-31')).toMatchObject({ status: 200 });
    }
    await first;
    expect((await failuresIn(service))[`member:${id}`]).toBe(2);
    await signInByPassword(service, email, 'Lantern-Harbor-42');
  });
});
