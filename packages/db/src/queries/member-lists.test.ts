import { createTestDatabase } from '@gatehouse/testkit/database';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createDemonstration, DEMONSTRATION_HASH } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import {
  countDigests,
  countPasswordKinds,
  countUnknownPasswords,
  declarePlainPasswords,
  listUnknownPasswords,
} from './imported-passwords.js';
import { listMembers, listMembersOfAccount } from './member-lists.js';
import { findCredential, findCredentialById, setPassword, setPasswordHash } from './passwords.js';
import { removeMember } from './remove-member.js';

const ACCOUNTS = [1, 2, 3, 4];

const at = { createdAtMs: 1, updatedAtMs: 1 };

const member = fc.record({
  // Ids close together, and ids further apart than one query's span.
  id: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 200_000 })),
  isDeleted: fc.boolean(),
  memberships: fc.uniqueArray(
    fc.record({ accountId: fc.constantFrom(...ACCOUNTS), isDeleted: fc.boolean(), active: fc.boolean() }),
    { selector: ({ accountId }) => accountId, maxLength: 4 },
  ),
});

it('the list of members has the live members of any accounts, each once, in order, over pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(member, { selector: ({ id }) => id, maxLength: 30 }),
      fc.subarray(ACCOUNTS),
      fc.integer({ min: 1, max: 9 }),
      async (people, accountIds, limit) => {
        await using test = await createTestDatabase(inject('dialect'));
        const { database } = test;
        await database.insertMany(
          database.tables.members,
          people.map(({ id, isDeleted }) => ({
            id,
            isDeleted,
            sid: `${id}`,
            sidKey: `${id}`,
            username: `${id}`,
            usernameKey: `${id}`,
            firstName: '',
            firstNameKey: '',
            lastName: '',
            lastNameKey: '',
            password: 'x',
            roleType: 5,
            role: '',
            ...at,
          })),
        );
        await database.insertMany(
          database.tables.memberships,
          people.flatMap(({ id: memberId, memberships }) =>
            memberships.map((row) => ({ memberId, roleType: 5, ...row, ...at })),
          ),
        );
        const isInScope = ({ isDeleted, memberships }: (typeof people)[number]) =>
          !isDeleted &&
          memberships.some((row) => row.active && !row.isDeleted && accountIds.includes(row.accountId));
        const found: number[] = [];
        for (;;) {
          const page = { afterId: found.at(-1) ?? 0, limit };
          const rows = await listMembers(database, { all: false, accountIds }, page);
          found.push(...rows.map(({ id }) => id));
          if (rows.length < limit) break;
        }
        expect(found).toEqual(
          people
            .filter(isInScope)
            .map(({ id }) => id)
            .toSorted((a, b) => a - b),
        );
      },
    ),
    { numRuns: 20 },
  );
});

const dialect = inject('dialect');

describe('a credential', () => {
  it('is found by the login identifier first, then by the address', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    expect(await findCredential(db, 'owner@acme.test')).toMatchObject({
      id: 3,
      password: DEMONSTRATION_HASH,
    });
    await changeAccess(db, { members: [3] }, async (tx) => {
      const { members } = tx.tables;
      await tx.insert(members, {
        sid: 'github:77',
        sidKey: 'github:77',
        username: 'seven',
        usernameKey: 'seven',
        firstName: '',
        firstNameKey: '',
        lastName: '',
        lastNameKey: '',
        email: 'github:78',
        emailKey: 'github:78',
        password: 'p',
        roleType: 5,
        role: '',
        createdAtMs: 1,
        updatedAtMs: 1,
      });
      await tx.insert(members, {
        sid: 'github:78',
        sidKey: 'github:78',
        username: 'eight',
        usernameKey: 'eight',
        firstName: '',
        firstNameKey: '',
        lastName: '',
        lastNameKey: '',
        password: 'p',
        roleType: 5,
        role: '',
        createdAtMs: 1,
        updatedAtMs: 1,
      });
    });
    expect(await findCredential(db, 'github:77')).toMatchObject({ username: 'seven' });
    expect(await findCredential(db, 'github:78')).toMatchObject({ username: 'eight', emailKey: null });
    expect(await findCredential(db, 'nobody@acme.test')).toBeUndefined();
    expect(await findCredential(db, '')).toBeUndefined();
    expect(await findCredentialById(db, 3)).toMatchObject({ id: 3, emailKey: 'owner@acme.test' });
    expect(await findCredentialById(db, 0)).toBeUndefined();
  });
});

describe('a list of members', () => {
  it('holds the members of the accounts in scope, each once, page by page', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const ids = async (accountIds: number[], afterId = 0, limit = 50) =>
      (await listMembers(db, { all: false, accountIds }, { afterId, limit })).map(({ id }) => id);
    expect(await ids([1])).toEqual([3, 4, 5, 6, 7, 10, 11]);
    expect(await ids([2, 1])).toEqual([3, 4, 5, 6, 7, 8, 10, 11]);
    expect(await ids([1], 0, 3)).toEqual([3, 4, 5]);
    expect(await ids([1], 5, 3)).toEqual([6, 7, 10]);
    expect(await ids([])).toEqual([]);
    const all = await listMembers(db, { all: true }, { afterId: 0, limit: 50 });
    expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(Object.keys(all[0] ?? {})).not.toContain('password');
  });

  it('of one account says each member’s role there, and leaves deleted members out', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await changeAccess(db, { members: [8] }, (tx) => removeMember(tx, { memberId: 8, nowMs: 1 }));
    const rows = await listMembersOfAccount(db, 2, { limit: 10 });
    expect(rows.map(({ id, roleType, accountRoleType }) => [id, roleType, accountRoleType])).toEqual([
      [3, 1, 2],
    ]);
    expect(await listMembersOfAccount(db, 2, { limit: 10, afterId: 3 })).toEqual([]);
  });
});

describe('stored passwords that are not a hash', () => {
  it('are counted and listed until they are hashed, whether declared plain or not', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const plain = { isPlain: true, afterId: 0, limit: 10 };
    expect(await countUnknownPasswords(db, { isPlain: true })).toBe(1);
    expect(await countUnknownPasswords(db, { isPlain: false })).toBe(0);
    expect(await listUnknownPasswords(db, plain)).toEqual([{ id: 11, password: 'Lantern-Harbor-42' }]);
    const noHashes = [
      '$2b$10$short',
      `$1$${'x'.repeat(57)}`,
      'x'.repeat(60),
      '',
      DEMONSTRATION_HASH.replace('$10$', '$14$'),
      DEMONSTRATION_HASH.replace('$2b$', '$2x$'),
      DEMONSTRATION_HASH.replace('$2b$', '$2B$'),
      DEMONSTRATION_HASH.replace(/.$/, '!'),
      `${DEMONSTRATION_HASH}\n`,
    ];
    const rest = { isPlain: false, afterId: 0, limit: 10 };
    for (const [position, password] of noHashes.entries()) {
      expect(await setPasswordHash(db, 1 + position, DEMONSTRATION_HASH, password)).toBe(true);
    }
    expect(await countUnknownPasswords(db, { isPlain: false })).toBe(noHashes.length);
    expect((await listUnknownPasswords(db, { ...rest, limit: 2 })).map(({ id }) => id)).toEqual([1, 2]);
    expect((await listUnknownPasswords(db, { ...rest, afterId: 7 })).map(({ id }) => id)).toEqual([8, 9]);
    expect(await declarePlainPasswords(db, [1, 2, 10, 11])).toBe(2);
    expect((await listUnknownPasswords(db, plain)).map(({ id }) => id)).toEqual([1, 2, 11]);
    for (const { id, password } of await listUnknownPasswords(db, plain))
      await setPasswordHash(db, id, password, DEMONSTRATION_HASH);
    expect(await countUnknownPasswords(db, { isPlain: true })).toBe(0);
  });

  it('do not include hashes of cost 4 to 12, in any spelling, wrapped ones, or those of WordPress', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const hashes = [
      ...['$2a$', '$2b$', '$2y$'].map((scheme) => DEMONSTRATION_HASH.replace('$2b$', scheme)),
      ...['$04$', '$09$', '$12$'].map((cost) => DEMONSTRATION_HASH.replace('$10$', cost)),
      `$wrapped$2b$04$${'a'.repeat(22)}${DEMONSTRATION_HASH}`,
      `$wp${DEMONSTRATION_HASH.replace('$2b$', '$2y$')}`,
    ];
    for (const [position, password] of hashes.entries())
      await setPasswordHash(db, 1 + position, DEMONSTRATION_HASH, password);
    expect(await countUnknownPasswords(db, { isPlain: false })).toBe(0);
    expect(await declarePlainPasswords(db, [1, 2, 3, 4, 5, 6, 7, 8])).toBe(0);
  });

  it('are counted by kind, with what the costliest of a kind costs', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const [{ count: all } = { count: 0 }] = await countPasswordKinds(db);
    for (const [at, [password, passwordDelayMs]] of (
      [
        [`$wp${DEMONSTRATION_HASH.replace('$2b$', '$2y$')}`, null],
        ['$foreign$sha-crypt$$5$salt$key', 70],
        ['$foreign$sha-crypt$$5$salt$another', 90],
        ['Lantern-Harbor-42', null],
        [`$digest$sha1$${DEMONSTRATION_HASH}`, null],
      ] as const
    ).entries())
      await setPasswordHash(db, 1 + at, DEMONSTRATION_HASH, password, {
        passwordRounds: null,
        passwordDelayMs,
      });
    await declarePlainPasswords(db, [4]);
    expect(await countDigests(db)).toBe(1);
    const kinds = await countPasswordKinds(db);
    expect(kinds.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
      { kind: 'bcrypt', count: all - 5, delayMs: null, lastUsedAtMs: null },
      { kind: 'digest', count: 1, delayMs: null, lastUsedAtMs: null },
      // One is of the demonstration.
      { kind: 'plain', count: 2, delayMs: null, lastUsedAtMs: null },
      { kind: 'sha-crypt', count: 2, delayMs: 90, lastUsedAtMs: null },
      { kind: 'wordpress', count: 1, delayMs: null, lastUsedAtMs: null },
    ]);
  });

  it('are no longer plain once another password is set', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await changeAccess(db, { members: [11] }, (tx) =>
      setPassword(tx, { memberId: 11, hash: DEMONSTRATION_HASH, nowMs: 1 }),
    );
    expect(await findCredentialById(db, 11)).toMatchObject({ passwordIsPlain: false });
  });
});
