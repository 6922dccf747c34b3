import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, type MadeUpPerson, makeForeignPeople, oneOfEach } from './foreign-people.js';

const SIGNER_KEY = randomBytes(64);
const SEPARATOR = Buffer.from([7]);

const CONFIG = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${SIGNER_KEY.toString('base64')},
  base64_salt_separator: ${SEPARATOR.toString('base64')},
  rounds: 8,
  mem_cost: 10,
}
`;

/** As Firebase describes it: the signer key in AES-256 counter mode, with scrypt's result for the password as its key. */
function hashOfFirebase(password: string, salt: Buffer): Buffer {
  const key = scryptSync(password, Buffer.concat([salt, SEPARATOR]), 64, { N: 2 ** 10, r: 8, p: 1 });
  return createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16)).update(SIGNER_KEY);
}

const forAddresses = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const userOf = (person: MadeUpPerson, hash: string, salt: string) => ({
  localId: person.id,
  email: person.email,
  emailVerified: person.isConfirmed,
  passwordHash: hash,
  salt,
  ...(person.firstName === '' ? {} : { displayName: `${person.firstName} ${person.lastName}` }),
  lastSignedInAt: '1700000000000',
  createdAt: '1614834367890',
  ...(person.isDisabled ? { disabled: true } : {}),
  ...(person.oddity === 'idn' ? { customAttributes: '{"role":"editor","beta":true}' } : {}),
  ...(person.oddity === 'accents' ? { mfaInfo: [{ phoneInfo: '+49******56' }] } : {}),
  providerUserInfo: [
    { providerId: 'password', rawId: person.email, email: person.email },
    ...Object.entries(person.providers).map(([provider, id]) => ({
      providerId: `${provider}.com`,
      rawId: id,
      email: person.email,
      displayName: '} ] "',
    })),
    ...(person.oddity === 'plain' ? [{ providerId: 'apple.com', rawId: '7' }] : []),
  ],
});

/** What an import from Firebase guarantees, on one database. */
export function checkFirebaseImports(dialect: TestDialect): void {
  it('1,000 users of Firebase sign in with their old password and providers the first time', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(1000);
    const salt = randomBytes(9);
    const hashes = await hashEach((password) => forAddresses(hashOfFirebase(password, salt)));
    const users = people.map((person) => userOf(person, hashes.get(person.oddity) ?? '', forAddresses(salt)));
    const anonymous = [{ localId: 'nobody-1', providerUserInfo: [] }, { localId: 'nobody-2' }];
    const damaged = { localId: 'damaged', email: 'd@old.example', providerUserInfo: [{ rawId: '7' }] };
    const files = {
      'users.json': JSON.stringify(
        { users: [...users, { email: 'none@old.example' }, ...anonymous, damaged] },
        null,
        2,
      ),
    };
    await world.write('hash-config.txt', CONFIG);
    await world.write('roles.yaml', 'editor: contributor\n');
    const options = ['--from', 'firebase', '--map', 'roles.yaml', '--hash-config', 'hash-config.txt'];
    await expect(world.bring(files, '--from', 'firebase')).rejects.toThrow('with --hash-config');
    await world.write('damaged.txt', CONFIG.replace('rounds', 'turns'));
    await expect(world.bring(files, '--from', 'firebase', '--hash-config', 'damaged.txt')).rejects.toThrow(
      'does not have all of base64_signer_key',
    );
    const rehearsed = await world.bring(files, ...options, '--dry-run');
    const { members, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, ...options);
    expect(brought.counts).toEqual([900, 0, 102, 0]);
    expect(brought.said).toContain('has providerUserInfo in a form that cannot be read');
    expect(brought.said).toMatch(/and 1 more: anonymous users/);
    expect(rehearsed.counts).toEqual(brought.counts);
    expect(brought.said).toContain('is no user with a localId');
    expect(brought.said).toMatch(/and 99 more: sign-in through "apple.com", which is no provider here/);
    expect(brought.said).toMatch(/and 99 more: second factors, which Firebase does not give/);
    for (const person of oneOfEach(people)) await expectSignIn(world, { ...person, totp: undefined });
    const [ada, juergen] = await world.db.select().from(members);
    expect(ada).toMatchObject({
      username: `Ada Miller ${ada?.id}`,
      createdAtMs: 1_614_834_367_890,
      roleType: 5,
    });
    expect(juergen?.roleType).toBe(3);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    expect((await world.bring(files, ...options)).counts).toEqual([0, 900, 102, 0]);
  });
}
