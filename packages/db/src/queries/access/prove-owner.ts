import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/**
 * Records that a person who proved the member's address also has one of their credentials. Does nothing if
 * the stored password no longer matches the expected one.
 */
export async function proveOwner(
  tx: AccessTransaction,
  proof: { memberId: number; expectedPassword: string | undefined; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  const { memberId, expectedPassword, nowMs } = proof;
  await tx.write(
    tx
      .update(members)
      .set({ ownerProvenAtMs: sql`coalesce(${members.ownerProvenAtMs}, ${nowMs})` })
      .where(
        and(
          eq(members.id, memberId),
          expectedPassword === undefined ? undefined : eq(members.password, expectedPassword),
        ),
      ),
  );
}
