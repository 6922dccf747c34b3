import { createTestDatabase, type TestDatabase, type TestDialect } from '@gatehouse/testkit/database';
import { seedDemonstration } from '../index.js';

/** The stored password of every member of the demonstration except the legacy one. */
export const DEMONSTRATION_HASH = `$2b$10$${'a'.repeat(53)}`;

/** The time at which the demonstration is written, in epoch milliseconds. */
const DEMONSTRATION_MS = 1_800_000_000_000;

/** A database with the demonstration data. */
export async function createDemonstration(dialect: TestDialect): Promise<TestDatabase> {
  const test = await createTestDatabase(dialect);
  await seedDemonstration(test.database, {
    passwordHash: DEMONSTRATION_HASH,
    legacyPassword: 'Lantern-Harbor-42',
    partnerSecret: 'sealed',
    nowMs: DEMONSTRATION_MS,
  });
  return test;
}
