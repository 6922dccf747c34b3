import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Records that a partner is active, and its newest token if it got one. False when the partner is deactivated:
 * the caller must then stop.
 */
export async function recordPartnerUse(
  tx: Database,
  {
    partnerId,
    nowMs,
    token,
  }: {
    partnerId: number;
    nowMs: number;
    token?: { digest: string; expiresAtMs: number };
  },
): Promise<boolean> {
  const { partners } = tx.tables;
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        lastUsedAtMs: nowMs,
        ...(token === undefined ? {} : { tokenDigest: token.digest, tokenExpiresAtMs: token.expiresAtMs }),
      })
      .where(and(eq(partners.id, partnerId), eq(partners.isActive, true))),
  );
  return rows === 1;
}
