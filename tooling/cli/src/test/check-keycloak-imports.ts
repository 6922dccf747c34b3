import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { FOREIGN_VECTORS } from '@gatehouse/runtime/test/foreign-vectors';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, type MadeUpPerson, makeForeignPeople, oneOfEach } from './foreign-people.js';

const ROUNDS = 10_000;

/** Keycloak stores the content of a credential as JSON in a text. */
const credential = (type: string, secretData: object, credentialData: object) => ({
  id: type,
  type,
  createdDate: 1_614_834_367_890,
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
});

const TOTP = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' };

const app = (secret: string) => credential('otp', { value: secret }, { ...TOTP, secretEncoding: 'BASE32' });

const userOf = (person: MadeUpPerson, password: object) => ({
  id: person.id,
  createdTimestamp: 1_614_834_367_890,
  username: person.oddity === 'right to left' ? `name-${person.id}` : person.email.toLowerCase(),
  enabled: !person.isDisabled,
  emailVerified: person.isConfirmed,
  firstName: person.firstName,
  lastName: person.lastName,
  email: person.email,
  credentials: [
    password,
    ...(person.totp === undefined ? [] : [app(person.totp)]),
    ...(person.oddity === 'plain' ? [credential('webauthn', {}, {})] : []),
  ],
  federatedIdentities: [
    ...Object.entries(person.providers).map(([identityProvider, userId]) => ({
      identityProvider,
      userId,
      userName: 'x',
    })),
    ...(person.oddity === 'plain' ? [{ identityProvider: 'company-saml', userId: '7', userName: 'x' }] : []),
  ],
  realmRoles: ['default-roles-old', ...(person.id === 'u-0' ? ['boss'] : [])],
  groups: person.id === 'u-0' ? ['/Old Mill'] : person.id === 'u-1' ? ['/Old Mill/Readers', '/Nobodys'] : [],
});

/** What an import from Keycloak guarantees, on one database. */
export function checkKeycloakImports(dialect: TestDialect): void {
  it('1,000 users of Keycloak sign in with their old password, authenticator app and providers the first time', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(1000);
    const salt = randomBytes(16);
    const hashes = await hashEach((password) =>
      pbkdf2Sync(password, salt, ROUNDS, 64, 'sha512').toString('base64'),
    );
    const passwordOf = ({ oddity }: MadeUpPerson) =>
      credential(
        'password',
        { value: hashes.get(oddity), salt: salt.toString('base64'), additionalParameters: {} },
        { hashIterations: ROUNDS, algorithm: 'pbkdf2-sha512', additionalParameters: {} },
      );
    const [, , phc = ''] = FOREIGN_VECTORS.find(([, , text]) => text.startsWith('$argon2id$')) ?? [];
    const [, , , , argonSalt = '', argonKey = ''] = phc.split('$');
    const padded = (base64: string) => Buffer.from(base64, 'base64').toString('base64');
    const argon = credential(
      'password',
      { value: padded(argonKey), salt: padded(argonSalt), additionalParameters: {} },
      {
        hashIterations: 2,
        algorithm: 'argon2',
        additionalParameters: {
          type: ['id'],
          version: ['1.3'],
          hashLength: ['16'],
          memory: ['4096'],
          parallelism: ['2'],
        },
      },
    );
    // Earlier versions keep the bytes of the secret as a text.
    const oldApp = credential('otp', { value: '12345678901234567890' }, TOTP);
    const stranger = (id: string, more: object) => ({
      id,
      username: id,
      email: `${id}@old.example`,
      ...more,
    });
    const realm = {
      id: 'old',
      realm: 'users',
      groups: [
        {
          id: 'g-1',
          name: 'Old Mill',
          path: '/Old Mill',
          subGroups: [{ name: 'Readers', path: '/Old Mill/Readers' }],
        },
        { name: 'Nobodys', path: '/Nobodys', subGroups: [] },
      ],
      users: [
        ...people.map((person) => userOf(person, passwordOf(person))),
        stranger('argon', { credentials: [argon, oldApp], realmRoles: ['default-roles-old'] }),
        stranger('other', { credentials: [credential('password', { value: 'x' }, { algorithm: 'x' })] }),
        stranger('robot', { serviceAccountClientId: 'robot' }),
        { username: 'no-id' },
        stranger('damaged', { federatedIdentities: [{ identityProvider: 'google' }] }),
      ],
      organizations: [
        {
          id: 'o-1',
          name: 'New Mill',
          alias: 'new-mill',
          members: [{ username: 'argon' }, { username: 'p0@old.example' }],
        },
      ],
    };
    const files = { 'realm.json': JSON.stringify(realm, null, 2) };
    await world.write('roles.yaml', 'boss: owner\nReaders: 5\n"*": userMember\n');
    const options = ['--from', 'keycloak', '--map', 'roles.yaml'];
    const rehearsed = await world.bring(files, ...options, '--dry-run');
    const { accounts, members, memberships, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, ...options);
    expect(rehearsed.counts).toEqual(brought.counts);
    // 901 people, two accounts and two members of each; the twins, two strangers and a group without members.
    expect(brought.counts).toEqual([907, 0, 104, 1]);
    for (const why of [
      'has a password that is stored in another way than Keycloak does',
      'is no user with an id',
      'has federatedIdentities in a form that cannot be read',
      'has nobody with a role that --map turns into owner',
    ])
      expect(brought.said).toContain(why);
    expect(brought.said).toMatch(/and 99 more: sign-in through "company-saml", which is no provider here/);
    expect(brought.said).toMatch(
      /and 99 more: passkeys with keys of other kinds than ES256, EdDSA and RS256/,
    );
    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    const rows = await world.db.select().from(members);
    const [ada, juergen] = rows;
    const argonRow = rows.find(({ email }) => email === 'argon@old.example');
    expect(ada).toMatchObject({
      username: `Ada Miller ${ada?.id}`,
      createdAtMs: 1_614_834_367_890,
      roleType: 5,
    });
    expect(argonRow?.password).toBe(`$foreign$argon2$${phc}`);
    expect(await world.db.select().from(accounts)).toMatchObject([
      { name: 'Old Mill', ownerId: ada?.id },
      { name: 'New Mill', ownerId: ada?.id },
    ]);
    const there = (await world.db.select().from(memberships)).map(({ memberId, roleType }) => [
      memberId,
      roleType,
    ]);
    expect(there).toHaveLength(4);
    for (const each of [
      [ada?.id, 1],
      [juergen?.id, 5],
      [argonRow?.id, 5],
    ])
      expect(there).toContainEqual(each);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    // A group and an organization that were renamed.
    const renamed = JSON.stringify(realm)
      .replaceAll('Old Mill', 'Older Mill')
      .replaceAll('New Mill', 'Newer');
    const again = await world.bring({ 'realm.json': renamed }, ...options);
    expect(again.counts).toEqual([0, 907, 104, 1]);
  });
}
