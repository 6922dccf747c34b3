import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import type { MemberScope } from './member-scope.js';
import { countSortedPeople, type PeopleOrder, type SortedPlace, sortPeople } from './sort-people.js';

const dialect = inject('dialect');

const at = { createdAtMs: 1, updatedAtMs: 1 };

/** So many that a search reads several portions of the embedded database. */
const PEOPLE = 350;

interface Person {
  readonly id: number;
  readonly email: string | null;
  readonly lastLogin: number | null;
  readonly isDeleted: boolean;
}

/** Every seventh has no address, every third never signed in, many signed in at the same moment, and every eleventh is deleted. */
const EVERYBODY: readonly Person[] = Array.from({ length: PEOPLE }, (_, index) => ({
  id: index + 1,
  email: index % 7 === 0 ? null : `p${(index * 137) % 1009}@sort.test`,
  lastLogin: index % 3 === 0 ? null : ((index * 31) % 40) + 1,
  isDeleted: index % 11 === 0,
}));

async function insertEverybody(db: Database): Promise<void> {
  await db.insertMany(
    db.tables.members,
    EVERYBODY.map(({ id, email, lastLogin, isDeleted }) => ({
      id,
      sid: `${id}`,
      sidKey: `${id}`,
      username: `u${id}`,
      usernameKey: `u${id}`,
      firstName: '',
      firstNameKey: '',
      lastName: '',
      lastNameKey: '',
      email,
      emailKey: email,
      password: 'x',
      roleType: 5,
      role: '',
      isDeleted,
      lastLoginAtMs: lastLogin,
      ...at,
    })),
  );
  const places = EVERYBODY.filter(({ id }) => id % 2 === 0).map(({ id }) => ({
    memberId: id,
    accountId: 1,
    roleType: 5,
    ...at,
  }));
  await db.insertMany(db.tables.memberships, places);
}

/** The ids in an order: members without a value come last in both directions. */
function expected({ by, isDescending }: PeopleOrder, among: readonly Person[]): number[] {
  const sign = isDescending ? -1 : 1;
  return among
    .toSorted((one, other) => {
      const [a, b] = [one[by], other[by]];
      if (a === null || b === null) return a === b ? sign * (one.id - other.id) : a === null ? 1 : -1;
      return a === b ? sign * (one.id - other.id) : a < b ? -sign : sign;
    })
    .map(({ id }) => id);
}

const ORDERS = (['id', 'email', 'lastLogin'] as const).flatMap((by) =>
  [false, true].map((isDescending): PeopleOrder => ({ by, isDescending })),
);

const LIVE = EVERYBODY.filter(({ isDeleted }) => !isDeleted);

const ALL: MemberScope = { all: true };

describe('a sorted search for members', () => {
  it('lists every match once, in each order, page by page, in every scope', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insertEverybody(db);
    const even = LIVE.filter(({ id }) => id % 2 === 0);
    const scopes: readonly (readonly [MemberScope, readonly Person[]])[] = [
      [ALL, LIVE],
      [{ all: false, accountIds: [1] }, even],
      [{ all: false, accountIds: [] }, []],
    ];
    for (const [scope, among] of scopes)
      for (const order of ORDERS)
        for (const limit of [7, 400]) {
          const ids: number[] = [];
          let after: SortedPlace | undefined;
          for (;;) {
            const page = { after, limit: limit + 1, deadlineMs: Number.POSITIVE_INFINITY };
            const { rows } = await sortPeople(db, scope, { words: [] }, order, page);
            ids.push(...rows.slice(0, limit).map(({ id }) => id));
            if (rows.length <= limit) break;
            after = rows[limit - 1]?.place;
          }
          expect([order, limit, ids]).toEqual([order, limit, expected(order, among)]);
        }
  });

  it('continues after the rows that it read when it runs out of time, and finds by words', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insertEverybody(db);
    const words = [{ nameKey: 'p5', emailKey: 'p5', id: undefined }];
    const among = LIVE.filter(({ email }) => email?.startsWith('p5'));
    expect(among.length).toBeGreaterThan(10);
    for (const order of ORDERS) {
      const ids: number[] = [];
      let after: SortedPlace | undefined;
      let pages = 0;
      for (;;) {
        const found = await sortPeople(db, ALL, { words }, order, { after, limit: 400, deadlineMs: 0 });
        pages += 1;
        ids.push(...found.rows.map(({ id }) => id));
        if (found.goesOnAfter === undefined) break;
        after = found.goesOnAfter;
      }
      expect([order, ids]).toEqual([order, expected(order, among)]);
      if (dialect === 'libsql') expect(pages).toBeGreaterThan(3);
    }
  });

  it('counts the matches after a position', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insertEverybody(db);
    for (const order of ORDERS) {
      const page = { after: undefined, limit: 300, deadlineMs: Number.POSITIVE_INFINITY };
      const { rows } = await sortPeople(db, ALL, { words: [] }, order, page);
      const after = rows.at(-1)?.place;
      const count = await countSortedPeople(db, ALL, { words: [] }, order, { ...page, after });
      expect([order, count]).toEqual([order, LIVE.length - 300]);
    }
  });
});
