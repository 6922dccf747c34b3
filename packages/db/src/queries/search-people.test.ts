import { createTestDatabase } from '@gatehouse/testkit/database';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import type { MemberScope } from './member-scope.js';
import { countPeople, type PeopleFilter, type PeopleSearch, searchPeople } from './search-people.js';

const dialect = inject('dialect');

const ACCOUNTS = [1, 2, 3];

const at = { createdAtMs: 1, updatedAtMs: 1 };

interface Person {
  id: number;
  username: string;
  first?: string;
  last?: string;
  email?: string | null;
  isDeleted?: boolean;
  accounts?: readonly number[];
}

async function insertPeople(db: Database, people: readonly Person[]): Promise<void> {
  await db.insertMany(
    db.tables.members,
    people.map(({ id, username, first = '', last = '', email = null, isDeleted = false }) => ({
      id,
      sid: `${id}`,
      sidKey: `${id}`,
      username,
      usernameKey: username,
      firstName: first,
      firstNameKey: first,
      lastName: last,
      lastNameKey: last,
      email,
      emailKey: email,
      password: 'x',
      roleType: 5,
      role: '',
      isDeleted,
      ...at,
    })),
  );
  await db.insertMany(
    db.tables.memberships,
    people.flatMap(({ id: memberId, accounts = [] }) =>
      accounts.map((accountId) => ({ memberId, accountId, roleType: 5, ...at })),
    ),
  );
}

const word = (text: string) => ({
  nameKey: text,
  emailKey: text,
  id: /^\d{1,15}$/.test(text) ? Number(text) : undefined,
});

const by = (...words: string[]): PeopleSearch => ({ words: words.map(word) });

const ALL: MemberScope = { all: true };

/** The pages of a search, one after the other. Each has `perPage` milliseconds. */
async function searchAll(
  db: Database,
  scope: MemberScope,
  search: PeopleSearch & PeopleFilter,
  { limit, perPage = 60_000 }: { limit: number; perPage?: number },
): Promise<number[][]> {
  const pages: number[][] = [];
  let after = 0;
  for (;;) {
    const deadlineMs = performance.now() + perPage;
    const { rows, goesOnAfter } = await searchPeople(db, scope, search, { after, limit, deadlineMs });
    pages.push(rows.map(({ id }) => id));
    const next = rows.length < limit ? goesOnAfter : rows.at(-1)?.cursor;
    if (next === undefined) return pages;
    after = next;
  }
}

/**
 * Few letters, so that names share parts; including wildcards, quotes and characters of two and four bytes.
 */
const letter = fc.constantFrom('a', 'b', '%', '_', '\\', '!', "'", 'é', '日', 'ש', '😀', '\u{10ffff}');

const text = fc.string({ unit: letter, minLength: 1, maxLength: 6 });

const world = fc
  .uniqueArray(
    fc.record({
      username: fc.string({ unit: letter, minLength: 1, maxLength: 45 }),
      first: text,
      last: text,
      email: fc.option(text),
      accounts: fc.subarray(ACCOUNTS),
    }),
    { selector: ({ username }) => username, maxLength: 25 },
  )
  .map((list): Person[] =>
    // Addresses are unique.
    list.map((person, index) => ({
      ...person,
      email: person.email === null ? null : `${index}@${person.email}`,
      id: index + 1,
    })),
  );

describe('a search by words', () => {
  it('finds people with each word in any field, each person once over all pages, in any scope', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        fc.subarray(ACCOUNTS),
        fc.integer({ min: 1, max: 7 }),
        async (people, words, accountIds, limit) => {
          await using test = await createTestDatabase(dialect);
          await insertPeople(test.database, people);
          const isFound = ({ username, first, last, email }: Person) =>
            words.every((each) =>
              [username, first, last, email ?? ''].some((field) => field?.includes(each)),
            );
          const having = people.filter(isFound);
          const found = async (scope: MemberScope) =>
            (await searchAll(test.database, scope, by(...words), { limit })).flat();
          expect(await found(ALL)).toEqual(having.map(({ id }) => id));
          const inScope = having.filter(({ accounts = [] }) =>
            accounts.some((id) => accountIds.includes(id)),
          );
          expect(await found({ all: false, accountIds })).toEqual(inScope.map(({ id }) => id));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('does not compare names that contain an @, and finds addresses and ids', async () => {
    await using test = await createTestDatabase(dialect);
    await insertPeople(test.database, [
      { id: 1, username: 'ceo@firm.test', first: 'ceo@firm.test', last: 'ceo@firm.test' },
      { id: 2, username: 'ceo', email: 'ceo@firm.test' },
      { id: 3, username: 'number 2', email: 'other@mail.test' },
    ]);
    const found = (...words: string[]) => searchAll(test.database, ALL, by(...words), { limit: 9 });
    expect(await found('ceo@firm.test')).toEqual([[2]]);
    expect(await found('firm')).toEqual([[2]]);
    expect(await found('2')).toEqual([[2, 3]]);
    expect(await found('2', 'ceo')).toEqual([[2]]);
    expect(await found('number', '3')).toEqual([[3]]);
  });

  it('lists people first whose id, address or username is the text, and nobody twice on any page', async () => {
    await using test = await createTestDatabase(dialect);
    const others = Array.from({ length: 30 }, (_, index) => ({
      id: index + 1,
      username: `has 900 ${index}`,
      first: 'anna',
      accounts: [1, 2],
    }));
    await insertPeople(test.database, [
      ...others,
      { id: 800, username: '900', first: 'anna', accounts: [3] },
      { id: 900, username: 'nine', first: 'anna', email: 'nine@mail.test', accounts: [2] },
      { id: 901, username: 'gone', first: '900', isDeleted: true },
    ]);
    const exactly = (each: string) => ({ exact: word(each), ...by(each) });
    const ids = others.map(({ id }) => id);
    for (const limit of [1, 2, 3, 7, 50]) {
      const pages = await searchAll(test.database, ALL, exactly('900'), { limit });
      expect(pages.flat()).toEqual([800, 900, ...ids]);
      for (const accountIds of [[2], [1, 2]]) {
        const within = await searchAll(test.database, { all: false, accountIds }, exactly('900'), { limit });
        expect(within.flat()).toEqual([900, ...ids]);
      }
    }
    // A slow machine answers a second, empty page: besides an exact match, the search reads only for a short time.
    const [found = [], ...more] = await searchAll(test.database, ALL, exactly('nine@mail.test'), {
      limit: 5,
    });
    expect([found, more.flat()]).toEqual([[900], []]);
    expect((await searchAll(test.database, ALL, exactly('gone'), { limit: 5 })).flat()).toEqual([]);
    const isFirst = await searchPeople(test.database, ALL, exactly('900'), {
      after: 0,
      limit: 1,
      deadlineMs: 0,
    });
    expect(isFirst.rows.map(({ id }) => id)).toEqual([800]);
    const after = isFirst.rows[0]?.cursor ?? 0;
    const counted = { after, deadlineMs: Number.POSITIVE_INFINITY };
    expect(await countPeople(test.database, ALL, exactly('900'), counted)).toBe(31);
  });

  it('misses nobody when each page runs out of time, and says where to continue', async () => {
    await using test = await createTestDatabase(dialect);
    const dense = Array.from({ length: 1_090 }, (_, index) => index + 1);
    const ids = [...dense, 5_000, 9_000, 9_001, 40_000];
    for (const some of [ids.slice(0, 500), ids.slice(500, 1_000), ids.slice(1_000)])
      await insertPeople(
        test.database,
        some.map((id) => ({
          id,
          username: `user${id}`,
          first: [7, 1_080, 9_001, 40_000].includes(id) ? 'rare' : 'common',
          accounts: [1],
        })),
      );
    for (const scope of [ALL, { all: false, accountIds: [1] }]) {
      const pages = await searchAll(test.database, scope, by('rare'), { limit: 5, perPage: 0 });
      expect(pages.length).toBeGreaterThan(scope.all || dialect === 'libsql' ? 1 : 0);
      expect(pages.flat()).toEqual([7, 1_080, 9_001, 40_000]);
    }
  });

  it('shows the members of an account with their place in it', async () => {
    await using test = await createTestDatabase(dialect);
    await insertPeople(test.database, [{ id: 1, username: 'anna', accounts: [1, 2] }]);
    const page = { after: 0, limit: 5, deadlineMs: Number.POSITIVE_INFINITY };
    const { rows } = await searchPeople(test.database, { all: false, accountIds: [2] }, by('nn'), page);
    expect(rows).toMatchObject([{ id: 1, accountRoleType: 5, customRoleId: null, joinedAtMs: 1 }]);
  });

  it('by roles finds those who have one in the account, page by page, whatever they are in others', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const places = [
      { roleType: 5 },
      { roleType: 3 },
      { roleType: 5, customRoleId: 7 },
      { roleType: 3, customRoleId: 8 },
      { roleType: 3, active: false },
      { roleType: 3, isDeleted: true },
      { roleType: 1 },
      { roleType: 3 },
    ].map((place, at) => ({ memberId: at + 1, accountId: 1, ...place }));
    await insertPeople(
      db,
      places.map(({ memberId }) => ({ id: memberId, username: `user${memberId}` })),
    );
    await db.insertMany(db.tables.memberships, [
      ...places.map((place) => ({ ...place, ...at })),
      ...[1, 2, 5, 7].map((memberId) => ({ memberId, accountId: 2, roleType: 3, ...at })),
    ]);
    const found = (
      builtIn: number[],
      custom: number[],
      { words = [], limit = 9 }: { words?: string[]; limit?: number } = {},
    ) =>
      searchAll(
        db,
        { all: false, accountIds: [1] },
        { ...by(...words), roles: { builtIn, custom } },
        { limit },
      );
    expect(await found([3], [])).toEqual([[2, 8]]);
    expect(await found([3, 5], [])).toEqual([[1, 2, 8]]);
    expect(await found([3, 1], [7], { limit: 2 })).toEqual([[2, 3], [7, 8], []]);
    expect(await found([], [7, 8])).toEqual([[3, 4]]);
    expect(await found([3], [8], { words: ['user4'] })).toEqual([[4]]);
    expect(await found([], [])).toEqual([[]]);
    const filter = { ...by(), roles: { builtIn: [3], custom: [] } };
    const start = { after: 0, deadlineMs: Number.POSITIVE_INFINITY };
    expect(await countPeople(db, { all: false, accountIds: [1] }, filter, start)).toBe(2);
  });

  it('lets other statements run while it reads', async () => {
    await using test = await createTestDatabase(dialect);
    const people = Array.from({ length: 10 }, (_, index) => ({
      id: index * 5_000 + 1,
      username: `user${index}`,
    }));
    await insertPeople(test.database, people);
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await searchAll(test.database, ALL, by('nobody'), { limit: 5 });
    isOver = true;
    expect(rounds).toBeGreaterThan(1);
  });
});
