import type { Database } from '../../database.js';

/** Adds an already encrypted secret, live from now on. Returns its number. */
export async function insertPartnerSecret(
  tx: Database,
  { partnerId, sealed, nowMs }: { partnerId: number; sealed: string; nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.partnerSecrets, { partnerId, secret: sealed, createdAtMs: nowMs });
}
