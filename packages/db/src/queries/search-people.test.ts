import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { searchPeople } from './search-people.js';

const dialect = inject('dialect');

/** Ids close together, far apart, and at the edges of the spans a full search reads. */
const IDS = [1, 2, 999, 1000, 1001, 1002, 2001, 19_999, 20_000, 20_001, 500_000, 999_999, 1_000_000];

const NAMES = ['ann', 'bob', 'joanna'];

async function insertPeople(db: Database): Promise<void> {
  await db.insertMany(
    db.tables.members,
    IDS.map((id, index) => ({
      id,
      sid: `${id}`,
      sidKey: `${id}`,
      username: `member ${id}`,
      usernameKey: `member ${id}`,
      firstName: '',
      firstNameKey: NAMES[index % NAMES.length] ?? '',
      lastName: '',
      email: `${id}@people.test`,
      emailKey: `${id}@people.test`,
      password: 'x',
      roleType: 5,
      role: '',
      isDeleted: id === 20_000,
      createdAtMs: 1,
      updatedAtMs: 1,
    })),
  );
}

async function searchAll(db: Database, text: string, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = { nameKey: text, emailKey: text, afterId: ids.at(-1) ?? 0, limit };
    const rows = await searchPeople(db, { all: true }, page);
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < limit) return ids;
  }
}

describe('a search of all members', () => {
  it('finds by any part of username, first name or address, in pages of any length', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    expect(await searchAll(db, 'ann', 5)).toEqual([]);
    await insertPeople(db);
    const live = IDS.filter((id) => id !== 20_000);
    const named = (text: string) =>
      live.filter((id) => (NAMES[IDS.indexOf(id) % NAMES.length] ?? '').includes(text));
    for (const limit of [2, 200]) {
      expect(await searchAll(db, '', limit)).toEqual(live);
      expect(await searchAll(db, 'member', limit)).toEqual(live);
      expect(await searchAll(db, 'ann', limit)).toEqual(named('ann'));
      expect(await searchAll(db, '00@people', limit)).toEqual([1000, 500_000, 1_000_000]);
      expect(await searchAll(db, 'nobody', limit)).toEqual([]);
    }
  });

  it('lets others have their turn while it reads', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insertPeople(db);
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await searchAll(db, 'nobody', 5);
    isOver = true;
    expect(rounds).toBeGreaterThan(0);
  });
});
