import { createDataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { testConfig } from './start-service.js';

/** Writes the demonstration data with the keys all test services share. */
export async function seedTestDatabase(database: Database): Promise<void> {
  const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
  await seedDemo(database, { cipher, nowMs: Date.now() });
}
