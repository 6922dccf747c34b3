import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isProven } from '../access/is-proven.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';
import { removeMember } from './remove-member.js';

/**
 * Deletes a member at their own request, and marks the memberships that ended with them. They can come back
 * until they are erased. An address that its owner never proved is free at once: it may be somebody else's. False if they
 * were already deleted.
 */
export async function deleteOwnMember(
  tx: AccessTransaction,
  { memberId, erasesAtMs, nowMs }: { memberId: number; erasesAtMs: number; nowMs: number },
): Promise<boolean> {
  if (!(await removeMember(tx, { memberId, nowMs }))) return false;
  const { members, memberships } = tx.tables;
  const { sid, username, email, emailConfirmedAtMs, ownerProvenAtMs } = members;
  const [row] = await tx
    .select({ sid, username, email, emailConfirmedAtMs, ownerProvenAtMs })
    .from(members)
    .where(eq(members.id, memberId));
  await tx.write(
    tx
      .update(members)
      .set({
        erasesAtMs,
        ...NO_PENDING_ADDRESS,
        ...(row === undefined || isProven(row) ? {} : withoutAddress(row)),
      })
      .where(eq(members.id, memberId)),
  );
  await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: true, endedWithMember: true, updatedAtMs: nowMs })
      .where(and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false))),
  );
  return true;
}

/** Also frees a login identifier and a username that are an address. */
function withoutAddress({ sid, username }: { sid: string; username: string }) {
  const anonymous = `deleted:${randomUUID()}`;
  return {
    email: null,
    emailKey: null,
    emailConfirmedAtMs: null,
    ownerProvenAtMs: null,
    ...(sid.includes('@') ? { sid: anonymous, sidKey: anonymous } : {}),
    ...(username.includes('@') ? { username: anonymous, usernameKey: anonymous } : {}),
  };
}
