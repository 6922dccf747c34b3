import { and, eq, gt } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Has a member's sessions that began after a moment ask for a verification before anything that takes a recent one,
 * unless they were verified again since they began.
 */
export async function setSessionsUnverified(
  tx: AccessTransaction,
  { memberId, afterMs }: { memberId: number; afterMs: number },
): Promise<void> {
  const { sessions } = tx.tables;
  const { authTimeMs, verifiedAtMs } = sessions;
  const began = and(eq(sessions.memberId, memberId), gt(authTimeMs, afterMs), eq(verifiedAtMs, authTimeMs));
  await tx.write(tx.update(sessions).set({ verifiedAtMs: null }).where(began));
}
