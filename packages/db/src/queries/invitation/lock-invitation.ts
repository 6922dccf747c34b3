import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from '../access/lock-rows.js';
import { findInvitation } from './find-invitation.js';
import type { InvitationRow } from './invitation-columns.js';

/** Locks an invitation until the transaction ends. Lock its account and the members involved first. */
export async function lockInvitation(tx: Database, invitationId: number): Promise<InvitationRow | undefined> {
  const { invitations } = tx.tables;
  await lockRows(tx, invitations, {
    column: invitations.updatedAtMs,
    where: eq(invitations.id, invitationId),
    mode: 'exclusive',
  });
  return findInvitation(tx, invitationId);
}
