import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** The member whose recovery it is. */
interface OfRecovery {
  readonly memberId: number;
  readonly recoveryId: number;
}

/** Makes sessions that have the ticket of a recovery ones like others, once their member has added a factor. */
export async function releaseRecoverySessions(tx: AccessTransaction, of: OfRecovery): Promise<void> {
  const { sessions } = tx.tables;
  await tx.write(tx.update(sessions).set({ recoveryId: null }).where(isOfRecovery(tx, of)));
}

/** Ends the sessions that have the ticket of a recovery. The caller has locked the member, so none begins meanwhile. */
export async function endRecoverySessions(
  tx: AccessTransaction,
  { nowMs, ...of }: OfRecovery & { readonly nowMs: number },
): Promise<void> {
  const { sessions } = tx.tables;
  const isOpen = and(isOfRecovery(tx, of), isNull(sessions.endedAtMs));
  await tx.write(tx.update(sessions).set({ endedAtMs: nowMs }).where(isOpen));
}

function isOfRecovery({ tables }: AccessTransaction, { memberId, recoveryId }: OfRecovery) {
  return and(eq(tables.sessions.memberId, memberId), eq(tables.sessions.recoveryId, recoveryId));
}
