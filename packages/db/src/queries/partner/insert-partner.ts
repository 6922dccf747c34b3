import type { Database } from '../../database.js';

/**
 * Adds a partner without a secret and returns its number.
 *
 * @throws {DuplicateKeyError} when a partner has this name or external id
 */
export async function insertPartner(
  tx: Database,
  partner: { name: string; nameKey: string; externalId?: string | undefined; appUrl: string; nowMs: number },
): Promise<number> {
  const { nowMs, ...row } = partner;
  return tx.insert(tx.tables.partners, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}
