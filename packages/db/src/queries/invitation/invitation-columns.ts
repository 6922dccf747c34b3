import type { Tables } from '../../tables/define-tables.js';
import type { InvitationStatus } from '../../tables/invitations.js';

/** A stored invitation. */
export interface InvitationRow {
  id: number;
  accountId: number;
  email: string;
  emailKey: string;
  roleType: number;
  customRoleId: number | null;
  status: InvitationStatus;
  inviterId: number;
  tokenKey: string | null;
  mailId: number | null;
  lastSentAtMs: number | null;
  expiresAtMs: number;
  endedById: number | null;
  createdAtMs: number;
}

/** The columns of an `InvitationRow`. */
export function invitationColumns({ invitations }: Tables) {
  const { id, accountId, email, emailKey, roleType, customRoleId, status, inviterId } = invitations;
  const { tokenKey, mailId, lastSentAtMs, expiresAtMs, endedById, createdAtMs } = invitations;
  return {
    id,
    accountId,
    email,
    emailKey,
    roleType,
    customRoleId,
    status,
    inviterId,
    tokenKey,
    mailId,
    lastSentAtMs,
    expiresAtMs,
    endedById,
    createdAtMs,
  };
}
