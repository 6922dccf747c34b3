import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, hashPassword, wrapPasswordHash, wrapWeakDigest } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMostPasswordCost } from '@gatehouse/db/queries/imported-passwords';
import { findCredentialById, setPassword, setPasswordHash } from '@gatehouse/db/queries/passwords';
import {
  insertTestMember,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const PASSWORD = 'Lantern-Harbor-42';

const start = () =>
  startService(createApp, { dialect, application: 'web', env: { NODE_ENV: 'development' } });

async function insertImported(service: RunningService, stored: string) {
  const member = await insertTestMember(service.database, { withSession: false });
  expect(await setPasswordHash(service.database, member.id, dummyHash, stored)).toBe(true);
  return member;
}

async function logIn(service: RunningService, email: string, password: string): Promise<number> {
  return (await service.send('/webauthenticate', { body: { email, password } })).status;
}

const OWN = expect.stringMatching(/^\$2b\$10\$/);

describe('a member with a hash of low cost', () => {
  it.each([
    ['wrapped', async () => wrapPasswordHash(await hashPassword(PASSWORD, 4))],
    [
      'wrapped, of cost 9 and spelled $2a$',
      async () => wrapPasswordHash((await hashPassword(PASSWORD, 9)).replace('$2b$', '$2a$')),
    ],
    ['bare', () => hashPassword(PASSWORD, 4)],
    ['bare, spelled $2y$', async () => (await hashPassword(PASSWORD, 5)).replace('$2b$', '$2y$')],
  ])('signs in with the password, which is then stored in our own hash: %s', async (_, makeStored) => {
    await using service = await start();
    const stored = await makeStored();
    const { id, email } = await insertImported(service, stored);
    for (const wrong of ['wrong-password', stored, dummyHash])
      expect(await logIn(service, email, wrong)).toBe(401);
    const wrapped = await findCredentialById(service.database, id);
    expect(wrapped?.password).toMatch(/^\$wrapped\$2[ab]\$0[459]\$/);
    expect(await findMostPasswordCost(service.database)).toEqual({ rounds: wrapped?.passwordRounds });
    expect(await logIn(service, email, wrapped?.password ?? '')).toBe(401);
    await signInByPassword(service, email, PASSWORD);
    expect(await findCredentialById(service.database, id)).toMatchObject({
      password: OWN,
      passwordRounds: null,
    });
    await signInByPassword(service, email, PASSWORD);
    expect(await findMostPasswordCost(service.database)).toEqual({});
  });

  it.each([
    ['MD5', 'ce72cef21dab05fb474063dd22f97b79'],
    ['salted SHA-256', '{SSHA256}p/D77FUg2bGLnTCeoGv7Z2365JrNyhPcNTPxjjgfTRFOYUNsTmFDbA=='],
  ])(
    'signs in with the password, which is then stored in our own hash: %s inside bcrypt',
    async (_, digest) => {
      await using service = await start();
      const { id, email } = await insertImported(service, await wrapWeakDigest(digest));
      expect(await findMostPasswordCost(service.database)).toEqual({});
      for (const wrong of ['wrong-password', digest]) expect(await logIn(service, email, wrong)).toBe(401);
      await signInByPassword(service, email, PASSWORD);
      expect(await findCredentialById(service.database, id)).toMatchObject({ password: OWN });
      await signInByPassword(service, email, PASSWORD);
    },
  );

  it('succeeds in each of ten right logins among ten concurrent wrong ones', async () => {
    await using service = await start();
    const { email } = await insertImported(service, await hashPassword(PASSWORD, 4));
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        logIn(service, email, index % 2 === 0 ? PASSWORD : 'wrong-password'),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  it('changes the password by giving the old one', async () => {
    await using service = await start();
    const { id, email } = await insertImported(
      service,
      await wrapPasswordHash(await hashPassword(PASSWORD, 4)),
    );
    const { token } = await signInByPassword(service, email, PASSWORD);
    const body = { currentPassword: PASSWORD, newPassword: 'Velvet-Meadow-31' };
    expect((await service.send('/auth/password', { token, body })).status).toBe(200);
    expect(await findCredentialById(service.database, id)).toMatchObject({
      password: OWN,
      passwordRounds: null,
    });
  });
});

describe('a member with a hash of WordPress', () => {
  it('signs in with the password, which is then stored in our own hash', async () => {
    await using service = await start();
    const stored = '$wp$2y$10$CCCCCCCCCCCCCCCCCCCCC.WXcm6pk/7V5b0/3Uhw9wTJrxox4sow6';
    const { id, email } = await insertImported(service, stored);
    for (const wrong of ['wrong-password', stored, stored.slice(3)])
      expect(await logIn(service, email, wrong)).toBe(401);
    expect(await findCredentialById(service.database, id)).toMatchObject({ password: stored });
    await signInByPassword(service, email, PASSWORD);
    expect(await findCredentialById(service.database, id)).toMatchObject({
      password: OWN,
      passwordRounds: null,
    });
    await signInByPassword(service, email, PASSWORD);
  });
});

describe('a password longer than 72 bytes after normalization', () => {
  const password = 'กำ'.repeat(12);
  const weak = '$2b$04$bmXI4MU5JnJp9T1mAWUtiODwgKZxSgM6OD3IPgTQUSZIJa/.Xkyoy';

  it.each([
    ['weak', () => Promise.resolve(weak)],
    ['wrapped', () => wrapPasswordHash(weak)],
    [
      'of WordPress',
      () => Promise.resolve('$wp$2y$10$GODW9vG.DgVVB2WfLomDqe47NLr4d0x6GVCdoa20g5st/19G65b/a'),
    ],
  ])('works every time with the hash of it that was imported: %s', async (kind, makeStored) => {
    await using service = await start();
    expect([password, password.normalize('NFKC')].map((text) => Buffer.byteLength(text))).toEqual([72, 108]);
    const { id, email } = await insertImported(service, await makeStored());
    for (const _ of ['first', 'second']) {
      await signInByPassword(service, email, password);
      const kept = (await findCredentialById(service.database, id))?.password;
      expect(kept).toMatch(kind === 'of WordPress' ? /^\$wp\$2y\$10\$/ : /^\$wrapped\$2b\$04\$/);
    }
    expect(await logIn(service, email, `${password}x`)).toBe(401);
  });
});

describe('a stored value that is never compared', () => {
  it.each([
    ['a hash of cost 14', () => hashPassword(PASSWORD, 14)],
    ['text of more than 72 bytes', () => Promise.resolve(PASSWORD.repeat(5))],
    ['plain text that nobody declared', () => Promise.resolve(PASSWORD)],
  ])('is refused like any wrong password until a reset: %s', async (_, makeStored) => {
    await using service = await start();
    const stored = await makeStored();
    const { id, email } = await insertImported(service, stored);
    for (const given of [PASSWORD, stored]) expect(await logIn(service, email, given)).toBe(401);
    expect((await findCredentialById(service.database, id))?.password).toBe(stored);
    await service.send('/forgotPassword', { body: { email } });
    const mail = (await readOutbox(service)).find(({ kind }) => kind === 'passwordReset');
    const body = { token: mail?.token, password: 'Velvet-Meadow-31' };
    expect((await service.send('/resetPassword', { body })).status).toBe(200);
    await signInByPassword(service, email, 'Velvet-Meadow-31');
  });
});

describe('a hash of cost 12', () => {
  it('is kept, and makes every comparison as costly while it exists', async () => {
    await using service = await start();
    const stored = await hashPassword(PASSWORD, 12);
    const { id, email } = await insertImported(service, stored);
    await signInByPassword(service, email, PASSWORD);
    expect(await findCredentialById(service.database, id)).toMatchObject({
      password: stored,
      passwordRounds: 4096,
    });
    expect(await findMostPasswordCost(service.database)).toEqual({ rounds: 4096 });
    const hash = await hashPassword('Velvet-Meadow-31');
    await changeAccess(service.database, { members: [id] }, (tx) =>
      setPassword(tx, { memberId: id, hash, nowMs: 1 }),
    );
    expect(await findMostPasswordCost(service.database)).toEqual({});
  });
});
