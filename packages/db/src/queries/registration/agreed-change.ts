import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/** A change of address that the old mailbox agreed to without a proof. */
export interface AgreedLater {
  memberId: number;
  /** When the change was requested, which identifies it. */
  sinceMs: number;
}

/** The changes of address whose hour is over, at most `limit`. */
export async function listAgreedLater(
  db: Database,
  { byMs, limit }: { byMs: number; limit: number },
): Promise<AgreedLater[]> {
  const { id, pendingSinceMs, pendingEffectiveAtMs } = db.tables.members;
  const rows = await db
    .select({ memberId: id, sinceMs: pendingSinceMs })
    .from(db.tables.members)
    .where(and(isNotNull(pendingEffectiveAtMs), lte(pendingEffectiveAtMs, byMs)))
    .orderBy(asc(pendingEffectiveAtMs))
    .limit(limit);
  return rows.map(({ memberId, sinceMs }) => ({ memberId, sinceMs: sinceMs ?? 0 }));
}

/**
 * Stores when the agreement of the old mailbox counts. False if it was stored before, or another change is pending.
 */
export async function agreeLater(
  tx: AccessTransaction,
  { memberId, sinceMs, effectiveAtMs, nowMs }: AgreedLater & { effectiveAtMs: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ pendingEffectiveAtMs: effectiveAtMs, updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.pendingSinceMs, sinceMs),
          isNull(members.pendingEffectiveAtMs),
        ),
      ),
  );
  return rows === 1;
}

/** Drops an agreement that does not count yet. The change stays pending, and awaits the old mailbox. */
export async function dropAgreement(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ pendingEffectiveAtMs: null, updatedAtMs: nowMs })
      .where(eq(members.id, memberId)),
  );
}
