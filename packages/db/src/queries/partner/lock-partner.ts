import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from '../access/lock-rows.js';
import { isPartner, type PartnerName } from './partner-name.js';

/** Locks a partner, and one of its secrets if given, until the transaction ends. */
export async function lockPartner(tx: Database, name: PartnerName, secretId: number | null): Promise<void> {
  const { partners, partnerSecrets } = tx.tables;
  const where = isPartner(tx.tables, name);
  await lockRows(tx, partners, { column: partners.createdAtMs, where, mode: 'share' });
  if (secretId === null) return;
  await lockRows(tx, partnerSecrets, {
    column: partnerSecrets.createdAtMs,
    where: eq(partnerSecrets.id, secretId),
    mode: 'share',
  });
}
