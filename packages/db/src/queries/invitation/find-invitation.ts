import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type InvitationRow, invitationColumns } from './invitation-columns.js';

/** An invitation by id, ended ones included. */
export async function findInvitation(db: Database, invitationId: number): Promise<InvitationRow | undefined> {
  const { invitations } = db.tables;
  const [row] = await db
    .select(invitationColumns(db.tables))
    .from(invitations)
    .where(eq(invitations.id, invitationId));
  return row;
}
