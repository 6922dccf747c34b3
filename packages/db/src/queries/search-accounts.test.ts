import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import type { MemberScope } from './member-scope.js';
import {
  type AccountOrder,
  countAccounts,
  countSortedAccounts,
  listAccounts,
  sortAccounts,
} from './search-accounts.js';

const dialect = inject('dialect');

const ALL: MemberScope = { all: true };

const BY_NAME: AccountOrder = { by: 'name', isDescending: false };

const word = (text: string) => ({
  nameKey: text,
  emailKey: text,
  id: /^\d{1,15}$/.test(text) ? Number(text) : undefined,
});

async function insertAccounts(db: Database, names: ReadonlyMap<number, string>): Promise<void> {
  const rows = [...names].map(([id, name]) => ({
    id,
    name,
    nameKey: name,
    ownerId: 1,
    createdAtMs: 1,
    updatedAtMs: 1,
  }));
  for (let from = 0; from < rows.length; from += 500)
    await db.insertMany(db.tables.accounts, rows.slice(from, from + 500));
}

/** All accounts of a search by name, whose pages have `perPage` milliseconds, and how many pages there were. */
async function searchAll(
  db: Database,
  scope: MemberScope,
  words: readonly string[],
  { limit, perPage, order = BY_NAME }: { limit: number; perPage: number; order?: AccountOrder },
): Promise<{ ids: number[]; pages: number }> {
  const ids: number[] = [];
  let after: { id: number; nameKey: string } | undefined;
  for (let pages = 1; ; pages += 1) {
    const search = { words: words.map(word) };
    const page = { after, limit, deadlineMs: performance.now() + perPage };
    const { rows, goesOnAfter } = await sortAccounts(db, scope, search, order, page);
    ids.push(...rows.map(({ id }) => id));
    after = rows.length < limit ? goesOnAfter : rows.at(-1);
    if (after === undefined) return { ids, pages };
  }
}

describe('a search of accounts', () => {
  it('finds each word anywhere in the name, or the id, by name and then by id', async () => {
    await using test = await createTestDatabase(dialect);
    const names = new Map([
      [5, 'acme studio'],
      [4, 'studio zero'],
      [3, 'acme studio'],
      [2, '100% acme'],
      [1, 'birch_labs'],
    ]);
    await insertAccounts(test.database, names);
    const found = async (...words: string[]) => {
      const pages = [];
      for (const limit of [1, 2, 9])
        pages.push((await searchAll(test.database, ALL, words, { limit, perPage: 60_000 })).ids);
      expect(new Set(pages.map(String)).size).toBe(1);
      return pages[0];
    };
    expect(await found()).toEqual([2, 3, 5, 1, 4]);
    expect(await found('studio')).toEqual([3, 5, 4]);
    expect(await found('studio', 'acme')).toEqual([3, 5]);
    expect(await found('3')).toEqual([3]);
    expect(await found('%')).toEqual([2]);
    expect(await found('_')).toEqual([1]);
    expect(await found('nobody')).toEqual([]);
    for (const [order, ids] of [
      [{ by: 'name', isDescending: true }, [4, 1, 5, 3, 2]],
      [{ by: 'id', isDescending: false }, [1, 2, 3, 4, 5]],
      [{ by: 'id', isDescending: true }, [5, 4, 3, 2, 1]],
    ] as const)
      for (const limit of [1, 2, 9])
        for (const perPage of [0, 60_000])
          for (const scope of [ALL, { all: false, accountIds: [1, 2, 3, 4, 5] } as const]) {
            const sorted = await searchAll(test.database, scope, [], { limit, perPage, order });
            expect([order, sorted.ids]).toEqual([order, ids]);
            const after = { id: 5, nameKey: 'acme studio' };
            const page = { after, deadlineMs: performance.now() + 60_000 };
            expect(await countSortedAccounts(test.database, scope, { words: [] }, order, page)).toBe(
              ids.length - 1 - ids.indexOf(5),
            );
          }
    const within = { all: false, accountIds: [4, 5] } as const;
    expect((await searchAll(test.database, within, ['studio'], { limit: 1, perPage: 60_000 })).ids).toEqual([
      5, 4,
    ]);
  });

  it('misses none when each page runs out of time, even among equal names', async () => {
    await using test = await createTestDatabase(dialect);
    const names = new Map(
      Array.from({ length: 2_600 }, (_, index) => [index + 1, index === 1_300 ? 'rare' : 'same'] as const),
    );
    await insertAccounts(test.database, names);
    const all = await searchAll(test.database, ALL, ['s'], { limit: 700, perPage: 0 });
    expect(all.ids).toEqual([...names].filter(([, name]) => name === 'same').map(([id]) => id));
    const rare = await searchAll(test.database, ALL, ['ame', '2600'], { limit: 2, perPage: 0 });
    expect(rare.ids).toEqual([2_600]);
    expect(rare.pages).toBeGreaterThan(dialect === 'libsql' ? 1 : 0);
    const byId = await listAccounts(
      test.database,
      ALL,
      { words: [word('rare')] },
      { after: 0, limit: 5, deadlineMs: Number.POSITIVE_INFINITY },
    );
    expect(byId).toMatchObject({ rows: [{ id: 1_301, cursor: 1_301 }], goesOnAfter: undefined });
    const behind = { after: 10, deadlineMs: Number.POSITIVE_INFINITY };
    expect(await countAccounts(test.database, ALL, { words: [word('same')] }, behind)).toBe(1_000);
    expect(await countAccounts(test.database, ALL, { words: [word('rare')] }, behind)).toBe(1);
  });
});
