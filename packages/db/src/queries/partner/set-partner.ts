import { eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Changes the address of a partner's front end, or reactivates the partner. False when it does not exist. */
export async function setPartner(
  tx: AccessTransaction,
  change: { partnerId: number; appUrl?: string | undefined; isActive?: true | undefined; nowMs: number },
): Promise<boolean> {
  const { partners } = tx.tables;
  const { partnerId, appUrl, isActive, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        updatedAtMs: nowMs,
        ...(appUrl === undefined ? {} : { appUrl }),
        ...(isActive === undefined ? {} : { isActive }),
      })
      .where(eq(partners.id, partnerId)),
  );
  return rows === 1;
}
