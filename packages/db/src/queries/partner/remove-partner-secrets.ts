import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes a partner's secrets except the one to keep, if any. Returns how many were removed. */
export async function removePartnerSecrets(
  tx: Database,
  { partnerId, exceptId }: { partnerId: number; exceptId?: number | undefined },
): Promise<number> {
  const { partnerSecrets } = tx.tables;
  const others = exceptId === undefined ? undefined : ne(partnerSecrets.id, exceptId);
  return tx.write(tx.delete(partnerSecrets).where(and(eq(partnerSecrets.partnerId, partnerId), others)));
}
