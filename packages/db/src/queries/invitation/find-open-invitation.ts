import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type InvitationRow, invitationColumns } from './invitation-columns.js';

/** The invitation of an address into an account that has not ended, expired ones included. */
export async function findOpenInvitation(
  db: Database,
  { accountId, emailKey }: { accountId: number; emailKey: string },
): Promise<InvitationRow | undefined> {
  const { invitations } = db.tables;
  const [row] = await db
    .select(invitationColumns(db.tables))
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), eq(invitations.openKey, emailKey)));
  return row;
}
