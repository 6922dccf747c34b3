import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, it } from 'vitest';
import { searchMails } from './list-mails.js';
import type { MemberScope } from './member-scope.js';

const COUNT = 40_000;

const at = { createdAtMs: 1, updatedAtMs: 1 };

it('a portion of a search for mails in one account does not read all members of that account', async () => {
  await using test = await createTestDatabase('libsql');
  const { database: db } = test;
  const { mailOutbox, members, memberships, accounts } = db.tables;
  const ids = Array.from({ length: COUNT }, (_, index) => index + 1);
  await db.insertMany(
    members,
    ids.map((id) => ({
      id,
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
  await db.insert(accounts, { id: 1, name: 'one', nameKey: 'one', ownerId: 1, ...at });
  await db.insertMany(
    memberships,
    ids.map((id) => ({ memberId: id, accountId: 1, roleType: 5, active: true, ...at })),
  );
  await db.insertMany(
    mailOutbox,
    ids.map((id) => ({
      idempotencyKey: `${id}`,
      kind: 'activation',
      memberId: id,
      recipient: 'somebody@many.test',
      subject: '',
      text: '',
      html: '',
      state: 'sent' as const,
      dueAtMs: 1,
      createdAtMs: 1,
    })),
  );
  const search = { words: [{ nameKey: 'nobody', emailKey: 'nobody', id: undefined }] };
  const quickest = async (scope: MemberScope) => {
    const times: number[] = [];
    let beforeId: number | undefined;
    while (times.length < 20) {
      const begunMs = performance.now();
      const page = { limit: 26, beforeId, deadlineMs: begunMs };
      beforeId = (await searchMails(db, { scope }, search, page)).goesOnAfter;
      times.push(performance.now() - begunMs);
    }
    return Math.min(...times);
  };
  const ofAll = await quickest({ all: true });
  expect(await quickest({ all: false, accountIds: [1] })).toBeLessThan(4 * ofAll);
}, 60_000);
