import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/** What somebody showed beside the proof of the address, as it was when it was checked. */
export interface OwnerProof {
  sessionEpoch?: number;
  password?: string;
}

/**
 * Notes that whoever proved the address of a member also holds what signs in as them; nothing when that has changed
 * since it was checked.
 */
export async function proveOwner(
  tx: AccessTransaction,
  { memberId, proof, nowMs }: { memberId: number; proof: OwnerProof; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  const { sessionEpoch, password } = proof;
  await tx.write(
    tx
      .update(members)
      .set({ ownerProvenAtMs: sql`coalesce(${members.ownerProvenAtMs}, ${nowMs})` })
      .where(
        and(
          eq(members.id, memberId),
          sessionEpoch === undefined ? undefined : eq(members.sessionEpoch, sessionEpoch),
          password === undefined ? undefined : eq(members.password, password),
        ),
      ),
  );
}
