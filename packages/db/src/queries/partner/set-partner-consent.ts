import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Lets a partner's sign-on reach every account of a member, or only those the partner created. False if the
 * member is not linked, or the link is held. A repeated consent does not change its date.
 */
export async function setPartnerConsent(
  tx: AccessTransaction,
  change: { memberId: number; partnerId: number; consents: boolean; nowMs: number },
): Promise<boolean> {
  const { partnerMembers } = tx.tables;
  const { memberId, partnerId, consents, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(partnerMembers)
      .set({ consentedAtMs: consents ? sql`coalesce(${partnerMembers.consentedAtMs}, ${nowMs})` : null })
      .where(
        and(
          eq(partnerMembers.memberId, memberId),
          eq(partnerMembers.partnerId, partnerId),
          isNull(partnerMembers.heldSinceMs),
        ),
      ),
  );
  return rows === 1;
}
