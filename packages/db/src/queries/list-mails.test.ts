import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, inject, it } from 'vitest';
import { searchMails } from './list-mails.js';

const at = { createdAtMs: 1, updatedAtMs: 1 };

it('a search for the mails to people misses none when each page runs out of time, and says where to continue', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  const { database: db } = test;
  const { mailOutbox, members } = db.tables;
  await db.insertMany(
    members,
    ['anna', 'bela', 'annabel'].map((name, place) => ({
      id: place + 1,
      sid: name,
      sidKey: name,
      username: name,
      usernameKey: name,
      firstName: '',
      firstNameKey: '',
      lastName: '',
      lastNameKey: '',
      password: 'x',
      roleType: 5,
      role: '',
      // Support looks for the mails to those who deleted themselves.
      isDeleted: name === 'annabel',
      ...at,
    })),
  );
  await db.insertMany(
    mailOutbox,
    [2, 7, 9_000, 9_001, 25_000, 60_000, 60_001].map((id, place) => ({
      id,
      idempotencyKey: `${id}`,
      kind: 'activation',
      memberId: [1, 2, 3, null, 1, 2, 3][place] ?? null,
      recipient: 'anna@mail.test',
      subject: '',
      text: '',
      html: '',
      state: id === 25_000 ? ('void' as const) : ('sent' as const),
      attempts: 0,
      dueAtMs: 1,
      createdAtMs: 1,
    })),
  );
  const search = { words: [{ nameKey: 'anna', emailKey: 'anna', id: undefined }] };
  for (const limit of [1, 2, 9]) {
    const found: number[] = [];
    let pages = 0;
    for (let beforeId: number | undefined; ; ) {
      const page = { limit, beforeId, deadlineMs: performance.now() };
      const { rows, goesOnAfter } = await searchMails(db, { scope: { all: true } }, search, page);
      found.push(...rows.map(({ id }) => id));
      pages += 1;
      beforeId = rows.length < limit ? goesOnAfter : rows.at(-1)?.id;
      if (beforeId === undefined) break;
    }
    expect(found).toEqual([60_001, 9_000, 2]);
    expect(pages).toBeGreaterThan(1);
  }
});
