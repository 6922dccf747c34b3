import { createDataCipher, type DataCipher, hashPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { testConfig } from './test-config.js';

/** Hashed once per process. */
let passwordHash: Promise<string> | undefined;

/** Writes the demonstration data with the keys all test services share. */
export async function seedTestDatabase(
  database: Database,
  {
    cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY }),
    nowMs = Date.now(),
  }: { cipher?: DataCipher; nowMs?: number } = {},
): Promise<void> {
  passwordHash ??= hashPassword(DEMONSTRATION_PASSWORD);
  await seedDemo(database, { cipher, nowMs, passwordHash: await passwordHash });
}
