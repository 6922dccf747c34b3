import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Replaces a member's backup codes by new ones, of which only digests are stored. */
export async function replaceBackupCodes(
  tx: AccessTransaction,
  { memberId, digests, nowMs }: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<void> {
  const { backupCodes } = tx.tables;
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
  const rows = digests.map((digest) => ({ memberId, digest, createdAtMs: nowMs }));
  await tx.insertMany(backupCodes, rows);
}

/** Removes a member's backup codes. */
export async function removeBackupCodes(tx: AccessTransaction, memberId: number): Promise<void> {
  const { backupCodes } = tx.tables;
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
}

/** Whether one of these digests is a backup code of the member that was not used yet. */
export async function hasBackupCode(
  db: Database,
  { memberId, digests }: { memberId: number; digests: readonly string[] },
): Promise<boolean> {
  const { backupCodes } = db.tables;
  const rows = await db
    .select({ id: backupCodes.id })
    .from(backupCodes)
    .where(
      and(
        eq(backupCodes.memberId, memberId),
        inArray(backupCodes.digest, [...digests]),
        isNull(backupCodes.usedAtMs),
      ),
    );
  return rows.length > 0;
}

/** Uses up a backup code. True for one of any number of attempts. */
export async function consumeBackupCode(
  tx: Database,
  { memberId, digests, nowMs }: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<boolean> {
  const { backupCodes } = tx.tables;
  const rows = await tx.write(
    tx
      .update(backupCodes)
      .set({ usedAtMs: nowMs })
      .where(
        and(
          eq(backupCodes.memberId, memberId),
          inArray(backupCodes.digest, [...digests]),
          isNull(backupCodes.usedAtMs),
        ),
      ),
  );
  return rows === 1;
}
