import { type Database, hasLaterInvitation, type InvitationRow } from '@gatehouse/db';

/** Whether a later link took the place of this one: of the same invitation or, once that was declined, of another. */
export async function isReplaced(
  db: Database,
  invitation: InvitationRow,
  tokenKey: string,
): Promise<boolean> {
  if (tokenKey !== invitation.tokenKey) return true;
  return invitation.status === 'declined' && (await hasLaterInvitation(db, invitation));
}
