import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type InvitationRow, invitationColumns } from './invitation-columns.js';

/** The open invitation of an address into an account, including an expired one. */
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
