import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/**
 * Notes that whoever proved the address of a member also holds what signs in as them; nothing when the stored password is
 * no longer the one expected, where that is given.
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
