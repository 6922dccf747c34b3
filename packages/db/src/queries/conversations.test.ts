import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, inject, it } from 'vitest';
import { listFirstParticipants } from './conversations.js';

const CROWDED = 7;

const QUIET = 8;

it('a list of conversations shows the first twenty participants of each, however many others have', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  const { database } = test;
  const { members, participants } = database.tables;
  const ids = Array.from({ length: 25 }, (_, position) => position + 1);
  await database.insertMany(
    members,
    ids.map((id) => ({
      id,
      sid: `${id}`,
      sidKey: `${id}`,
      username: `${id}`,
      usernameKey: `${id}`,
      firstName: `First ${id}`,
      firstNameKey: '',
      lastName: 'Last',
      lastNameKey: 'last',
      password: 'x',
      roleType: 5,
      role: '',
      createdAtMs: 1,
      updatedAtMs: 1,
    })),
  );
  const takePart = (conversationId: number, memberIds: readonly number[]) =>
    database.insertMany(
      participants,
      memberIds.map((memberId) => ({ conversationId, memberId, joinedAtMs: 1 })),
    );
  await takePart(CROWDED, ids.toReversed());
  await takePart(QUIET, [25, 3]);

  for (const asked of [[CROWDED], [CROWDED, QUIET], [QUIET, CROWDED, 9]]) {
    const present = await listFirstParticipants(database, asked);
    expect(present.get(CROWDED)?.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(present.get(CROWDED)?.[0]).toEqual({ id: 1, firstName: 'First 1', lastName: 'Last' });
    expect(present.get(QUIET)?.map(({ id }) => id)).toEqual(asked.includes(QUIET) ? [3, 25] : undefined);
    expect(present.get(9)).toBeUndefined();
  }
});
