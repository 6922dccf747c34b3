import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Notes that a partner is doing something, and with its last token where it has just been given one. False when the
 * partner is no longer active: whatever it was doing must then not happen.
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
