import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The newest link of an invitation. */
export interface InvitationLink {
  invitationId: number;
  roleType: number;
  customRoleId: number | null;
  inviterId: number;
  tokenKey: string;
  /** Null if the mail was held. */
  mailId: number | null;
  expiresAtMs: number;
  nowMs: number;
}

/** Gives an open invitation a new link, which replaces the old one. False if it has ended. */
export async function renewInvitation(tx: Database, link: InvitationLink): Promise<boolean> {
  const { invitations } = tx.tables;
  const { invitationId, nowMs, ...changed } = link;
  const rows = await tx.write(
    tx
      .update(invitations)
      .set({
        ...changed,
        lastSentAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .where(and(eq(invitations.id, invitationId), eq(invitations.status, 'open'))),
  );
  return rows === 1;
}
