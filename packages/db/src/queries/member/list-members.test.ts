import { createTestDatabase } from '@gatehouse/testkit/database';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { listMembers } from '../../index.js';

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

it('lists the live members of any accounts, each once, in order, over pages of any size', async () => {
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
