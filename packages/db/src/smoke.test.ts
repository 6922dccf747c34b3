import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, inject, it } from 'vitest';
import { findMember, seedDemonstration } from './index.js';

it('holds the demonstration', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  expect(
    await seedDemonstration(test.database, {
      passwordHash: 'x',
      legacyPassword: 'y',
      partnerSecret: 'z',
      nowMs: 1,
    }),
  ).toBe(true);
  expect(
    await seedDemonstration(test.database, {
      passwordHash: 'x',
      legacyPassword: 'y',
      partnerSecret: 'z',
      nowMs: 1,
    }),
  ).toBe(false);
  expect((await findMember(test.database, 3))?.email).toBe('owner@acme.test');
});
