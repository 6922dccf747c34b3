import { eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Makes the session that a ticket began one like others, once its member has added a factor. */
export async function endRecoverySession(tx: AccessTransaction, tokenKey: string): Promise<void> {
  const { sessions } = tx.tables;
  await tx.write(tx.update(sessions).set({ recoveryId: null }).where(eq(sessions.tokenKey, tokenKey)));
}
