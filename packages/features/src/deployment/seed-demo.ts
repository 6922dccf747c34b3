import { type DataCipher, hashPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { seedDemonstration } from '@gatehouse/db/queries/seed-demonstration';
import { DEMONSTRATION_PARTNER_SECRET, DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { partnerSecretContext } from '../partner/rotate-partner-secret.js';

export interface SeedDemoOptions {
  readonly cipher: DataCipher;
  readonly nowMs: number;
  readonly partnerUrl?: string;
  /** The bcrypt hash of the demonstration's password; computed by default. */
  readonly passwordHash?: string;
}

/** Writes the demonstration data into an empty database. False when it is not empty. */
export async function seedDemo(db: Database, options: SeedDemoOptions): Promise<boolean> {
  return seedDemonstration(db, {
    passwordHash: options.passwordHash ?? (await hashPassword(DEMONSTRATION_PASSWORD)),
    legacyPassword: DEMONSTRATION_PASSWORD,
    partnerSecret: options.cipher.seal(DEMONSTRATION_PARTNER_SECRET, partnerSecretContext('acme-partner')),
    partnerUrl: options.partnerUrl,
    nowMs: options.nowMs,
  });
}
