import type { Database } from '../../database.js';

/** Adds a secret, already encrypted, which is live from now on; returns its number. */
export async function insertPartnerSecret(
  tx: Database,
  { partnerId, sealed, nowMs }: { partnerId: number; sealed: string; nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.partnerSecrets, { partnerId, secret: sealed, createdAtMs: nowMs });
}
