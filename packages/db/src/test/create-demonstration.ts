import { createTestDatabase, type TestDatabase, type TestDialect } from '@gatehouse/testkit/database';
import { seedDemonstration } from '../index.js';

/** The stored password of every member of the demonstration but the legacy one. */
export const DEMONSTRATION_HASH = `$2b$10$${'a'.repeat(53)}`;

/** The moment at which the demonstration is written, in epoch milliseconds. */
const DEMONSTRATION_MS = 1_800_000_000_000;

/** A database that holds the demonstration. */
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
