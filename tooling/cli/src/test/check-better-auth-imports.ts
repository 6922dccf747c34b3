import { randomBytes, scryptSync } from 'node:crypto';
import { toBase32 } from '@gatehouse/auth-core';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, type MadeUpPerson, makeForeignPeople, oneOfEach } from './foreign-people.js';

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** As Better Auth hashes: scrypt over the hexadecimal text of the salt. */
function hash(password: string): string {
  const salt = randomBytes(16).toString('hex');
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  return `${salt}:${scryptSync(password.normalize('NFKC'), salt, 64, cost).toString('hex')}`;
}

/** The secret of Better Auth under which the app's key was encrypted, by the library that it uses. */
const SECRET = 'a-secret-of-better-auth-4711';
const APP = {
  key: 'Xc3n0zPq8LrTgVb2WkYh5JmDsFa9Ue1R',
  sealed:
    '5285f4c273ac2be974707db299678f7ef3ee899f55685561530d9339f312fbe5491aa6cb471933a0cc8e694dfb0bbe4ec10538895e463b6c44d8717b02f90efc0db0907433844d3e',
};

const userOf = ({ id, email, isConfirmed, firstName, lastName, isDisabled }: MadeUpPerson, at: number) => ({
  id,
  name: `${firstName} ${lastName}`.trim(),
  email,
  // SQLite and MySQL give flags as numbers.
  emailVerified: at % 2 === 0 ? isConfirmed : Number(isConfirmed),
  image: null,
  createdAt: at % 2 === 0 ? '2024-05-06T07:08:09.000Z' : '2024-05-06 07:08:09',
  updatedAt: '2024-05-06T07:08:09.000Z',
  banned: isDisabled,
  banExpires: null,
});

const times = { createdAt: '2024-05-06T07:08:09.000Z', updatedAt: '2024-05-06T07:08:09.000Z' };

const owned = (userId: string) => ({ id: `a-${userId}`, userId, ...times });

/** What an import from Better Auth guarantees, on one database. */
export function checkBetterAuthImports(dialect: TestDialect): void {
  it('1,000 users of Better Auth sign in with their old password, authenticator app and providers the first time', {
    timeout: 120_000,
  }, async () => {
    const env = { BETTER_AUTH_SECRET: SECRET };
    await using world = await startForeignImportWorld(dialect, env);
    const people = makeForeignPeople(1000).map(
      ({ totp, ...person }): MadeUpPerson =>
        totp === undefined ? person : { ...person, totp: toBase32(Buffer.from(APP.key)) },
    );
    const hashes = await hashEach(hash);
    const files = {
      'user.ndjson': linesOf(people.map(userOf)),
      'account.ndjson': linesOf(
        people
          .flatMap(({ id, oddity, providers }) => [
            { ...owned(id), providerId: 'credential', accountId: id, password: hashes.get(oddity) },
            ...Object.entries(providers).map(([providerId, accountId]) => ({
              ...owned(id),
              providerId,
              accountId,
              password: null,
            })),
            ...(oddity === 'plain' ? [{ ...owned(id), providerId: 'microsoft', accountId: '7' }] : []),
          ])
          .toReversed(),
      ),
      'twoFactor.ndjson': linesOf([
        ...people.flatMap(({ id, totp }, at) =>
          totp === undefined
            ? []
            : [
                {
                  id: `t-${id}`,
                  userId: id,
                  secret: at % 20 === 2 ? APP.sealed : `$ba$1$${APP.sealed}`,
                  backupCodes: 'sealed',
                },
              ],
        ),
        { id: 't', userId: 'u-0', secret: APP.sealed, backupCodes: 'sealed', verified: false },
      ]),
      'organization.ndjson': linesOf([{ id: 'o-1', name: 'Old Mill', slug: 'old-mill', ...times }]),
      'member.ndjson': linesOf([
        { id: 'm-1', organizationId: 'o-1', userId: 'u-1', role: 'member', ...times },
        { id: 'm-2', organizationId: 'o-1', userId: 'u-0', role: 'admin,owner', ...times },
      ]),
    };
    const rehearsed = await world.bring(files, '--from', 'better-auth', '--dry-run');
    const { accounts, members, memberships, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, '--from', 'better-auth');
    expect(brought.counts).toEqual([903, 0, 100, 0]);
    expect(rehearsed.counts).toEqual(brought.counts);
    expect(brought.said).toMatch(/user.ndjson, line 1 and 99 more: sign-in through "microsoft"/);

    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    const [ada, juergen] = await world.db.select().from(members);
    for (const row of [ada, juergen]) expect(row?.createdAtMs).toBe(Date.parse('2024-05-06T07:08:09Z'));
    expect(await world.db.select().from(accounts)).toMatchObject([{ name: 'Old Mill', ownerId: ada?.id }]);
    expect(await world.db.select().from(memberships)).toMatchObject([
      { memberId: juergen?.id, roleType: 5 },
      { memberId: ada?.id, roleType: 1 },
    ]);
    expect((await world.bring(files, '--from', 'better-auth')).counts).toEqual([0, 903, 100, 0]);
  });

  it('users of Better Auth who never enabled a second factor sign in without one, and unreadable data is a problem', async () => {
    await using world = await startForeignImportWorld(dialect, { BETTER_AUTH_SECRET: SECRET });
    const password = 'Known-Before-1';
    const person = (id: string, more: object) => ({
      id,
      name: id,
      email: `${id}@old.example`,
      emailVerified: true,
      ...more,
    });
    const factor = (userId: string, more: object = {}) => ({
      id: `t-${userId}`,
      userId,
      secret: APP.sealed,
      backupCodes: 'sealed',
      ...more,
    });
    const login = (userId: string) => ({
      ...owned(userId),
      providerId: 'credential',
      accountId: userId,
      password: hash(password),
    });
    const files = {
      'user.ndjson': linesOf([
        person('off', { twoFactorEnabled: false }),
        person('never', { twoFactorEnabled: null }),
        person('on', { twoFactorEnabled: 1 }),
        person('broken-factor', { twoFactorEnabled: true }),
        person('broken-account', {}),
        person('broken-ban', { banned: true, banExpires: 'soon' }),
      ]),
      'account.ndjson': linesOf([
        ...['off', 'never', 'on'].map(login),
        { ...login('broken-account'), providerId: null },
      ]),
      'twoFactor.ndjson': linesOf([
        factor('off'),
        factor('never', { secret: 'sealed with another key' }),
        factor('on'),
        factor('broken-factor', { secret: null }),
      ]),
    };
    const brought = await world.bring(files, '--from', 'better-auth');
    expect(brought.counts).toEqual([3, 0, 3, 0]);
    for (const problem of [
      'line 4: has a row in twoFactor that cannot be read',
      'line 5: has a row in account that cannot be read',
      'line 6: has banExpires in a form that cannot be read',
    ])
      expect(brought.said).toContain(problem);
    const nobody = { oddity: 'plain', isDisabled: false, providers: {}, password } as const;
    for (const id of ['off', 'never', 'on'])
      await expectSignIn(world, {
        ...nobody,
        email: `${id}@old.example`,
        totp: id === 'on' ? toBase32(Buffer.from(APP.key)) : undefined,
      });
  });

  it('users of Better Auth are not imported without their authenticator app when its secret cannot be decrypted', async () => {
    await using world = await startForeignImportWorld(dialect, { BETTER_AUTH_SECRET: 'another' });
    const files = {
      'user.ndjson': linesOf([{ id: 'u-1', name: 'Ada', email: 'ada@old.example', emailVerified: true }]),
      'twoFactor.ndjson': linesOf([{ id: 't-1', userId: 'u-1', secret: APP.sealed }]),
    };
    const brought = await world.bring(files, '--from', 'better-auth');
    expect(brought.counts).toEqual([0, 0, 1, 0]);
    expect(brought.said).toContain('line 1: has a secret of twoFactor that BETTER_AUTH_SECRET does not open');
    await using without = await startForeignImportWorld(dialect);
    await expect(without.bring(files, '--from', 'better-auth')).rejects.toThrow('set BETTER_AUTH_SECRET');
  });
}
