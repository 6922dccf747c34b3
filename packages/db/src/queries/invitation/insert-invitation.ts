import type { Database } from '../../database.js';
import type { InvitationRow } from './invitation-columns.js';

/** An invitation without a link yet. Without one it counts as expired. */
export interface NewInvitation {
  accountId: number;
  email: string;
  emailKey: string;
  roleType: number;
  customRoleId: number | null;
  inviterId: number;
  nowMs: number;
}

/**
 * Writes an invitation.
 * @throws {DuplicateKeyError} if the address has an open one of this account
 */
export async function insertInvitation(
  tx: Database,
  { nowMs, ...invitation }: NewInvitation,
): Promise<InvitationRow> {
  const row = { ...invitation, status: 'open', expiresAtMs: nowMs, createdAtMs: nowMs } as const;
  const id = await tx.insert(tx.tables.invitations, {
    ...row,
    openKey: invitation.emailKey,
    updatedAtMs: nowMs,
  });
  return { ...row, id, tokenKey: null, mailId: null, lastSentAtMs: null, endedById: null };
}
