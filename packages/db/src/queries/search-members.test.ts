import { createTestDatabase } from '@gatehouse/testkit/database';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { changeAccess } from './change-access.js';
import { setMemberProfile } from './change-member.js';
import type { MemberScope } from './member-scope.js';
import { setMembership } from './memberships.js';
import { indexMemberNames, indexNewNames } from './name-search.js';
import { removeMember } from './remove-member.js';
import { searchMembers } from './search-members.js';

const dialect = inject('dialect');

const ACCOUNTS = [1, 2, 3];

const at = { createdAtMs: 1, updatedAtMs: 1 };

interface Person {
  id: number;
  name: string;
  accounts: readonly number[];
}

async function insertPeople(db: Database, people: readonly Person[]): Promise<void> {
  await db.insertMany(
    db.tables.members,
    people.map(({ id, name }) => ({
      id,
      sid: `${id}`,
      sidKey: `${id}`,
      username: name,
      usernameKey: name,
      firstName: '',
      firstNameKey: '',
      lastName: '',
      password: 'x',
      roleType: 5,
      role: '',
      ...at,
    })),
  );
  await db.insertMany(
    db.tables.memberships,
    people.flatMap(({ id: memberId, accounts }) =>
      accounts.map((accountId) => ({ memberId, accountId, roleType: 5, ...at })),
    ),
  );
}

/** All pages of a search, joined. */
async function searchAll(
  db: Database,
  scope: MemberScope,
  nameKey: string,
  limit: number,
): Promise<number[]> {
  const ids: number[] = [];
  let after: { part: string; memberId: number } | undefined;
  for (;;) {
    const rows = await searchMembers(db, scope, { nameKey, after, limit });
    ids.push(...rows.map(({ id }) => id));
    after = rows.at(-1)?.cursor;
    if (rows.length < limit) return ids;
  }
}

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

/**
 * Few letters, so that names share parts; including wildcards, quotes and characters of two and four bytes.
 */
const letter = fc.constantFrom('a', 'b', '%', '_', '\\', '!', "'", 'é', '日', '😀', '\u{10ffff}');

const name = fc.string({ unit: letter, minLength: 1, maxLength: 45 });

const people = fc
  .uniqueArray(fc.record({ name, accounts: fc.subarray(ACCOUNTS) }), {
    selector: (person) => person.name,
    maxLength: 25,
  })
  .map((list): Person[] => list.map((person, index) => ({ ...person, id: index + 1 })));

describe('searchMembers', () => {
  it('finds each member with the text in the name once over all pages, in any scope', async () => {
    await fc.assert(
      fc.asyncProperty(
        people,
        fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.subarray(ACCOUNTS),
        fc.integer({ min: 1, max: 7 }),
        async (world, texts, accountIds, limit) => {
          await using test = await createTestDatabase(dialect);
          await insertPeople(test.database, world);
          await indexNewNames(test.database, 1_000);
          const longName = world.map((person) => person.name).find((each) => each.length > 33);
          for (const text of longName ? [...texts, longName.slice(1)] : texts) {
            const having = world.filter((person) => person.name.includes(text));
            const everywhere = await searchAll(test.database, { all: true }, text, limit);
            expect(ascending(everywhere)).toEqual(having.map(({ id }) => id));
            const inside = await searchAll(test.database, { all: false, accountIds }, text, limit);
            const inScope = having.filter(({ accounts }) => accounts.some((id) => accountIds.includes(id)));
            expect(inside).toEqual(inScope.map(({ id }) => id));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('pages through hundreds of names with the same continuation', async () => {
    await using test = await createTestDatabase(dialect);
    const world = Array.from({ length: 300 }, (_, index) => ({
      id: index + 1,
      name: `m${index}@mail`,
      accounts: [1],
    }));
    await insertPeople(test.database, world);
    await indexNewNames(test.database, 1_000);
    const ids = world.map(({ id }) => id);
    expect(await searchAll(test.database, { all: true }, '@mail', 7)).toEqual(ids);
  });

  it('knows a new name, forgets the old one and those who are deleted', async () => {
    await using test = await createTestDatabase(dialect);
    const { database } = test;
    await insertPeople(database, [
      { id: 1, name: 'anna', accounts: [1] },
      { id: 2, name: 'joanna', accounts: [1] },
    ]);
    await indexNewNames(database, 10);
    const find = (text: string) => searchAll(database, { all: true }, text, 5);
    expect(await find('nn')).toEqual([1, 2]);

    await changeAccess(database, { members: [1] }, (tx) =>
      setMemberProfile(tx, { memberId: 1, username: 'berta', usernameKey: 'berta', nowMs: 2 }),
    );
    expect(await find('nn')).toEqual([2]);
    expect(await find('ert')).toEqual([1]);

    await changeAccess(database, { members: [2] }, (tx) => removeMember(tx, { memberId: 2, nowMs: 3 }));
    expect(await find('nn')).toEqual([]);
    const parts = await database.select().from(database.tables.memberNameParts);
    expect(new Set(parts.map(({ memberId }) => memberId))).toEqual(new Set([1]));
  });

  it('finds within an account by the name of the day, also who joined before or after the name changed', async () => {
    await using test = await createTestDatabase(dialect);
    const { database } = test;
    await insertPeople(database, [{ id: 1, name: 'anna', accounts: [1] }]);
    const find = (text: string, accountIds: number[]) =>
      searchAll(database, { all: false, accountIds }, text, 5);
    const join = (accountId: number) =>
      changeAccess(database, { members: [1] }, (tx) =>
        setMembership(tx, { memberId: 1, accountId, roleType: 5, nowMs: 2 }),
      );
    const rename = (usernameKey: string) =>
      changeAccess(database, { members: [1] }, (tx) =>
        setMemberProfile(tx, { memberId: 1, username: usernameKey, usernameKey, nowMs: 2 }),
      );
    expect(await find('nn', [1])).toEqual([1]);
    await join(2);
    await rename('berta');
    await join(3);
    expect(await Promise.all([[1], [2], [3], [1, 2, 3]].map((ids) => find('ert', ids)))).toEqual([
      [1],
      [1],
      [1],
      [1],
    ]);
    expect(await find('nn', [1, 2, 3])).toEqual([]);
  });

  it('keeps a membership from carrying an old name, however a change of name and a new membership meet', async () => {
    await using test = await createTestDatabase(dialect);
    const { database } = test;
    await insertPeople(database, [{ id: 1, name: 'name0', accounts: [1] }]);
    for (let round = 1; round <= 15; round += 1) {
      const usernameKey = `name${round}`;
      await Promise.all([
        changeAccess(database, { members: [1] }, (tx) =>
          setMemberProfile(tx, { memberId: 1, username: usernameKey, usernameKey, nowMs: 2 }),
        ),
        changeAccess(database, { members: [1] }, (tx) =>
          setMembership(tx, { memberId: 1, accountId: 10 + round, roleType: 5, nowMs: 2 }),
        ),
      ]);
      const rows = await database.select().from(database.tables.memberships);
      expect(rows.map((row) => row.name)).toEqual(rows.map(() => usernameKey));
    }
  });

  it('learns each name once, however many learn it at the same time', async () => {
    await using test = await createTestDatabase(dialect);
    const { database } = test;
    const world = Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      name: `name${index}`,
      accounts: [],
    }));
    await insertPeople(database, world);
    const learned = await Promise.all(Array.from({ length: 8 }, () => indexNewNames(database, 100)));
    expect(learned.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(await indexNewNames(database, 100)).toBe(0);
    expect(await searchAll(database, { all: true }, 'name', 6)).toHaveLength(20);
    expect(await database.transaction((tx) => indexMemberNames(tx, [1, 2, 3]))).toBe(0);
  });
});
