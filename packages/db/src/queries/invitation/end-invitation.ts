import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { InvitationStatus } from '../../tables/invitations.js';

/**
 * Ends an open invitation, or accepts or revokes a declined one; true for exactly one of any number of attempts, on any node.
 */
export async function endInvitation(
  tx: Database,
  end: {
    invitationId: number;
    status: Exclude<InvitationStatus, 'open'>;
    endedById: number | null;
    nowMs: number;
  },
): Promise<boolean> {
  const { invitations } = tx.tables;
  const { invitationId, status, endedById, nowMs } = end;
  const before: InvitationStatus[] = status === 'declined' ? ['open'] : ['open', 'declined'];
  const rows = await tx.write(
    tx
      .update(invitations)
      .set({ status, endedById, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.id, invitationId), inArray(invitations.status, before))),
  );
  return rows === 1;
}
