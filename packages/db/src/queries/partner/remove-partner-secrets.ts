import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes the secrets of a partner but the one to be kept, if any; returns how many were removed. */
export async function removePartnerSecrets(
  tx: Database,
  { partnerId, exceptId }: { partnerId: number; exceptId?: number | undefined },
): Promise<number> {
  const { partnerSecrets } = tx.tables;
  const others = exceptId === undefined ? undefined : ne(partnerSecrets.id, exceptId);
  return tx.write(tx.delete(partnerSecrets).where(and(eq(partnerSecrets.partnerId, partnerId), others)));
}
