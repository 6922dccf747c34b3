import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, looksLikeDigest, plainPassword, readStoredPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { countUnknownPasswords, declarePlainPasswords } from '@gatehouse/db/queries/imported-passwords';
import { findCredentialById, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { insertTestMember, type RunningService, signInByPassword, startService } from '@gatehouse/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { FOREIGN_PASSWORDS } from '../test/foreign-passwords.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

/** A hash that is compared: bcrypt of cost 4 to 12, our own around a weaker one, or one of WordPress. */
const SUPPORTED =
  /^(?:\$2[aby]\$(?:0[4-9]|1[0-2])\$|\$wrapped\$2[ab]\$0[4-9]\$[./A-Za-z0-9]{22}\$2b\$10\$|\$wp\$2y\$1[0-2]\$)[./A-Za-z0-9]{53}$/;

const BCRYPT_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./';

const bcryptLike = fc
  .tuple(
    fc.constantFrom('$2a$', '$2b$', '$2y$', '$2x$', '$2$', '$wrapped$2b$'),
    fc.integer({ min: 0, max: 32 }).map((cost) => String(cost).padStart(2, '0')),
    fc.string({ unit: fc.constantFrom(...BCRYPT_LETTERS.split('')), minLength: 50, maxLength: 56 }),
  )
  .map(([scheme, cost, rest]) => `${scheme}${cost}$${rest}`);

const damaged = fc
  .tuple(
    fc.constantFrom(...FOREIGN_PASSWORDS.map(([, stored]) => stored), dummyHash),
    fc.nat(),
    fc.constantFrom('', ' ', '\n', '$', '!', 'A', 'é'),
  )
  .map(([stored, at, inserted]) => {
    const place = at % (stored.length + 1);
    return (stored.slice(0, place) + inserted + stored.slice(place + (at % 3))).slice(0, 200);
  });

const unknown = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }), bcryptLike, damaged)
  .filter((text) => !SUPPORTED.test(text));

describe('stored text that is not a supported hash', () => {
  it('is neither compared nor accepted as a password, unless it was declared plain', () => {
    const seeds = FOREIGN_PASSWORDS.map(([, stored]): [string] => [stored]);
    fc.assert(
      fc.property(unknown, (password) => {
        expect(readStoredPassword(password)).toEqual({ kind: 'unknown' });
        expect(plainPassword({ password, passwordIsPlain: false })).toBeUndefined();
      }),
      { numRuns: 10_000, examples: seeds },
    );
  });

  it('is recognized as a digest in every format of other systems, and not when people chose it', () => {
    expect(FOREIGN_PASSWORDS.length).toBeGreaterThanOrEqual(65);
    for (const [name, stored] of FOREIGN_PASSWORDS)
      expect([name, looksLikeDigest(stored)]).toEqual([name, true]);
    for (const chosen of [
      'Lantern-Harbor-42',
      'correct horse battery staple',
      'correcthorsebatterystaple',
      '1234567890',
      '!important1',
      '*stars*',
      '$$$money$$$',
      'Pa$$w0rd',
      '{braces}',
      'deadbeef',
      'md5 is bad',
      'Zürich-2020',
      'owner@acme.test',
      '1|2-buckle-my-shoe',
      'cost: $2 or $5, not $100 a month',
      'none of your business',
      '4e61436c-2b49-4c48-8820-15f337518011',
    ])
      expect([chosen, looksLikeDigest(chosen)]).toEqual([chosen, false]);
  });

  it('does not sign in with its own text, in any format of other systems', async () => {
    await using service = await start();
    const made = fc.sample(
      unknown.filter((text) => text !== '' && !/[\0\p{Cs}]/u.test(text)),
      { numRuns: 10, seed: 1 },
    );
    const cases = [...FOREIGN_PASSWORDS, ...made.map((text) => [JSON.stringify(text), text] as const)];
    for (const [name, stored] of cases) {
      const { email } = await memberWith(service, stored);
      const response = await service.send('/webauthenticate', { body: { email, password: stored } });
      expect([name, response.status]).toEqual([name, 401]);
    }
    expect(await countUnknownPasswords(service.database, { isPlain: false })).toBe(cases.length);
  }, 60_000);

  it.each(['/login', '/authenticate', '/desigrauthenticate', '/v1/signIn/password'])(
    'signs nobody in at %s',
    async (path) => {
      await using service = await start();
      for (const stored of ['Known-Before-1', '*0123456789ABCDEF0123456789ABCDEF01234567', '!']) {
        const { email } = await memberWith(service, stored);
        const response = await service.send(path, { body: { email, password: stored } });
        expect([stored, response.status]).toEqual([stored, 401]);
      }
    },
  );

  it('verifies nobody again, and changes no password', async () => {
    await using service = await start();
    const stored = 'Known-Before-1';
    const { token, id } = await memberWith(service, stored);
    for (const [path, body] of [
      ['/v1/verification/prove', { password: stored }],
      ['/auth/password', { currentPassword: stored, newPassword: 'Velvet-Meadow-31' }],
    ] as const)
      expect([path, (await service.send(path, { token, body })).status]).toEqual([path, 401]);
    expect(await findCredentialById(service.database, id)).toMatchObject({ password: stored });
  });
});

describe('a stored password that was declared plain', () => {
  it('signs its owner in, and is hashed at once, although it looks like a digest', async () => {
    await using service = await start();
    for (const stored of ['Known-Before-1', '5f4dcc3b5aa765d61d8327deb882cf99']) {
      const { email, id } = await memberWith(service, stored);
      expect(await declarePlainPasswords(service.database, [id])).toBe(1);
      await signInByPassword(service, email, stored);
      expect(await findCredentialById(service.database, id)).toMatchObject({
        password: expect.stringMatching(/^\$2b\$10\$/),
        passwordIsPlain: false,
      });
      await signInByPassword(service, email, stored);
    }
  });

  it('is never compared as a hash, whatever flag the row has', async () => {
    await using service = await start();
    const { email, id } = await memberWith(service, dummyHash);
    expect(await declarePlainPasswords(service.database, [id])).toBe(0);
    await declareAnything(service.database);
    const response = await service.send('/webauthenticate', { body: { email, password: dummyHash } });
    expect(response.status).toBe(401);
  });
});

async function memberWith(service: RunningService, stored: string) {
  const member = await insertTestMember(service.database, { isConfirmed: true });
  await setPasswordHash(service.database, member.id, dummyHash, stored);
  return member;
}

async function declareAnything(db: Database): Promise<void> {
  const { members } = db.tables;
  await db.write(db.update(members).set({ passwordIsPlain: true }));
}
