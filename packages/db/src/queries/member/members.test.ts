import { describe, expect, inject, it } from 'vitest';
import {
  changeAccess,
  countPlainPasswords,
  findCredential,
  findCredentialById,
  listMembers,
  listPlainPasswords,
  removeMember,
  setPasswordHash,
} from '../../index.js';
import { createDemonstration, DEMONSTRATION_HASH } from '../../test/create-demonstration.js';
import { listMembersOfAccount } from './list-members-of-account.js';

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

describe('passwords in plain text', () => {
  it('are counted and listed until they are hashed, whatever they look like', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    expect(await countPlainPasswords(db)).toBe(1);
    expect(await listPlainPasswords(db, 0, 10)).toEqual([{ id: 11, password: 'Lantern-Harbor-42' }]);
    const likeAHash = ['$2b$10$short', `$1$${'x'.repeat(57)}`, 'x'.repeat(60), ''];
    for (const [position, password] of likeAHash.entries()) {
      expect(await setPasswordHash(db, 4 + position, DEMONSTRATION_HASH, password)).toBe(true);
    }
    expect(await countPlainPasswords(db)).toBe(5);
    expect((await listPlainPasswords(db, 0, 2)).map(({ id }) => id)).toEqual([4, 5]);
    expect((await listPlainPasswords(db, 5, 10)).map(({ id }) => id)).toEqual([6, 7, 11]);
    for (const id of [4, 5, 6, 7, 11]) {
      const [row] = await listPlainPasswords(db, id - 1, 1);
      await setPasswordHash(db, id, row?.password ?? 'none', DEMONSTRATION_HASH);
    }
    expect(await countPlainPasswords(db)).toBe(0);
  });
});
