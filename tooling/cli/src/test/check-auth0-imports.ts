import { hashPassword } from '@gatehouse/auth-core';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, type MadeUpPerson, makeForeignPeople, oneOfEach } from './foreign-people.js';

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const userOf = (person: MadeUpPerson) => ({
  user_id: `auth0|${person.id}`,
  email: person.email,
  email_verified: person.isConfirmed,
  // A user without a name has the address in its place.
  name: `${person.firstName} ${person.lastName}`.trim() || person.email,
  nickname: person.email.split('@')[0],
  ...(person.firstName === '' ? {} : { given_name: person.firstName, family_name: person.lastName }),
  ...(person.isDisabled ? { blocked: true } : {}),
  created_at: '2021-03-04T05:06:07.890Z',
  identities: [
    {
      connection: 'Username-Password-Authentication',
      provider: 'auth0',
      user_id: person.id,
      isSocial: false,
    },
    ...Object.entries(person.providers).map(([provider, id]) => ({
      connection: provider,
      provider: provider === 'google' ? 'google-oauth2' : provider,
      // Auth0 writes the ids of GitHub as numbers.
      user_id: provider === 'github' ? Number(id) : id,
      profileData: { email: person.email, name: person.firstName },
      isSocial: true,
    })),
    ...(person.oddity === 'plain'
      ? [{ connection: 'windowslive', provider: 'windowslive', user_id: '7', isSocial: true }]
      : []),
  ],
  ...(person.totp === undefined ? {} : { mfa_factors: [{ totp: { secret: person.totp } }] }),
});

/** What an import from Auth0 guarantees, on one database. */
export function checkAuth0Imports(dialect: TestDialect): void {
  it('1,000 users of Auth0 sign in with their old password, authenticator app and providers the first time', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(1000);
    const hashes = await hashEach();
    const files = {
      'users.ndjson': linesOf(people.map(userOf)),
      'passwords.ndjson': linesOf(
        people
          .map(({ id, email, oddity }, at) => ({
            _id: { $oid: at % 2 === 0 ? id : `oid-${id}` },
            ...(at % 2 === 0 ? {} : { alt_id: id }),
            email,
            passwordHash: hashes.get(oddity),
            tenant: 'old-mill',
            connection: 'Username-Password-Authentication',
          }))
          .toReversed(),
      ),
      'organizations.ndjson': linesOf([
        { id: 'org_1', name: 'old-mill', display_name: 'Old Mill' },
        { id: 'org_2', name: 'nobodys' },
      ]),
      'members.ndjson': linesOf([
        { organization_id: 'org_1', user_id: 'auth0|u-1', roles: [{ id: 'rol_2', name: 'reader' }] },
        { organization_id: 'org_1', user_id: 'auth0|u-0', roles: [{ id: 'rol_1', name: 'boss' }] },
        { organization_id: 'org_1', user_id: 'auth0|u-2', roles: [{ id: 'rol_3', name: 'unheard of' }] },
        { organization_id: 'org_1', user_id: 'auth0|u-7', roles: [{ id: 'rol_2', name: 'reader' }] },
        { organization_id: 'org_2', user_id: 'auth0|u-1', roles: [] },
      ]),
    };
    await world.write('roles.yaml', 'boss: owner\nreader: 5\n');
    const options = ['--from', 'auth0', '--map', 'roles.yaml'];
    const rehearsed = await world.bring(files, ...options, '--dry-run');
    const { accounts, foreignIds, members, memberships, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, ...options);
    // 900 people, an organization and two of its members; the twins, an organization without an owner and an unknown role.
    expect(brought.counts).toEqual([903, 0, 102, 2]);
    expect(rehearsed.counts).toEqual(brought.counts);
    expect(brought.said).toContain(
      'organizations.ndjson, line 2: has nobody with a role that --map turns into',
    );
    expect(brought.said).toContain('organizations.ndjson, line 2: 1 more left out');
    expect(brought.said).toContain('members.ndjson, line 3: has no role that --map turns into one of ours');
    expect(brought.said).toMatch(/users.ndjson, line 1 and 99 more: sign-in through "windowslive"/);

    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    const [ada, juergen] = await world.db.select().from(members);
    expect(ada).toMatchObject({
      username: `Ada Miller ${ada?.id}`,
      createdAtMs: Date.parse('2021-03-04T05:06:07.890Z'),
    });
    expect(await world.db.select().from(accounts)).toMatchObject([{ name: 'Old Mill', ownerId: ada?.id }]);
    expect(await world.db.select().from(memberships)).toMatchObject([
      { memberId: juergen?.id, roleType: 5 },
      { memberId: ada?.id, roleType: 1 },
    ]);
    expect(await world.db.select().from(foreignIds)).toHaveLength(901);
    expect((await world.bring(files, ...options)).counts).toEqual([0, 903, 102, 2]);
  });

  it('users of Auth0 keep the password of a linked identity, and missing or unreadable data is reported', async () => {
    await using world = await startForeignImportWorld(dialect);
    const person = (id: string, more: object) => ({
      user_id: `google-oauth2|${id}`,
      email: `${id}@old.example`,
      email_verified: true,
      ...more,
    });
    const google = (id: string) => ({ provider: 'google-oauth2', user_id: id, connection: 'google-oauth2' });
    const own = (id: string) => ({ provider: 'auth0', user_id: id, connection: 'people' });
    const passwords = {
      linked: await hashPassword('Known-Before-1'),
      second: await hashPassword('Known-Before-2'),
    };
    const files = {
      'users.ndjson': linesOf([
        person('linked', { identities: [google('1'), own('linked'), own('second')] }),
        person('lost', { identities: [google('2'), own('lost')] }),
        person('none', { identities: [google('3')] }),
        person('damaged', { identities: [google('4'), { provider: 'auth0' }] }),
        person('barred', { blocked: 'yes' }),
      ]),
      'passwords.ndjson': linesOf(
        Object.entries(passwords).map(([id, passwordHash]) => ({ _id: { $oid: id }, passwordHash })),
      ),
    };
    const brought = await world.bring(files, '--from', 'auth0');
    expect(brought.counts).toEqual([3, 0, 2, 0]);
    for (const told of [
      'users.ndjson, line 1: passwords after the first of people with several',
      'users.ndjson, line 2: passwords that are not in the export of hashes',
      'users.ndjson, line 4: has identities in a form that cannot be read',
      'users.ndjson, line 5: has blocked in a form that cannot be read',
    ])
      expect(brought.said).toContain(told);
    const linked = { email: 'linked@old.example', password: 'Known-Before-1', providers: { google: '1' } };
    await expectSignIn(world, { ...linked, oddity: 'plain', isDisabled: false });
  });

  it('organizations of Auth0 are imported from the list that its API returns, and people without a role there as "*" says', async () => {
    await using world = await startForeignImportWorld(dialect);
    const files = {
      'users.json': JSON.stringify(['u-0', 'u-1'].map((id) => ({ user_id: `auth0|${id}`, name: id }))),
      'organizations.json': JSON.stringify([{ id: 'org_1', name: 'old-mill' }]),
      'members.json': JSON.stringify([
        { organization_id: 'org_1', user_id: 'auth0|u-0', roles: ['boss'] },
        { organization_id: 'org_1', user_id: 'auth0|u-1' },
        { user_id: 'auth0|u-1' },
      ]),
    };
    await world.write('boss.yaml', 'boss: owner\n');
    await world.write('roles.yaml', 'boss: owner\n"*": userMember\n');
    const without = await world.bring(files, '--from', 'auth0', '--map', 'boss.yaml', '--dry-run');
    expect(without.said).toContain('has no role, and --map does not say with "*"');
    const brought = await world.bring(files, '--from', 'auth0', '--map', 'roles.yaml');
    expect(brought.counts).toEqual([5, 0, 1, 0]);
    expect(brought.said).toContain('lacks the id of the organization, or that of the person');
    expect(brought.said).toContain('users.json, line 1 and 1 more: no password');
    const { memberships } = world.db.tables;
    const roles = (await world.db.select().from(memberships)).map(({ roleType }) => roleType);
    expect(roles.toSorted((one, other) => one - other)).toEqual([1, 5]);
  });

  it('nobody is imported from Auth0 while a line of the passwords, which may be theirs, cannot be read', async () => {
    await using world = await startForeignImportWorld(dialect);
    const [hash] = (await hashEach()).values();
    const users = linesOf([{ user_id: 'auth0|u-0', email: 'p0@old.example' }]);
    const own = { _id: { $oid: 'u-0' }, passwordHash: hash };
    for (const passwords of [JSON.stringify([own]), `${JSON.stringify({ ...own, _id: 7 })}\n`, '{"_id"']) {
      const files = { 'users.ndjson': users, 'passwords.ndjson': passwords };
      await expect(world.bring(files, '--from', 'auth0')).rejects.toThrow(
        'passwords.ndjson, line 1: is no JSON object on a line of its own with the id of a person.',
      );
    }
    expect(await world.db.select().from(world.db.tables.members)).toEqual([]);
  });
}
