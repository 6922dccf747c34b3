import { and, desc, eq, gt, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type InvitationRow, invitationColumns } from './invitation-columns.js';

/** An invitation as its recipient sees it. */
export interface ReceivedInvitation extends InvitationRow {
  accountName: string;
  /** The name of a custom role. */
  customRoleName: string | null;
  /** The current rank of that role. */
  customRoleType: number | null;
  inviterFirstName: string;
  inviterLastName: string;
  inviterUsername: string;
}

/** The open invitations to an address that have not expired, the newest first; `beforeId` pages on. */
export async function listInvitationsTo(
  db: Database,
  { emailKey, nowMs }: { emailKey: string; nowMs: number },
  { beforeId, limit }: { beforeId: number; limit: number },
): Promise<ReceivedInvitation[]> {
  const { invitations } = db.tables;
  const { id, status, expiresAtMs } = invitations;
  return selectReceived(db)
    .where(
      and(eq(invitations.emailKey, emailKey), lt(id, beforeId), eq(status, 'open'), gt(expiresAtMs, nowMs)),
    )
    .orderBy(desc(id))
    .limit(limit);
}

/** One invitation as its recipient sees it. Undefined when its account or inviter was erased. */
export async function findReceivedInvitation(
  db: Database,
  invitationId: number,
): Promise<ReceivedInvitation | undefined> {
  const [row] = await selectReceived(db).where(eq(db.tables.invitations.id, invitationId));
  return row;
}

function selectReceived(db: Database) {
  const { invitations, accounts, customRoles, members } = db.tables;
  return db
    .select({
      ...invitationColumns(db.tables),
      accountName: accounts.name,
      customRoleName: customRoles.name,
      customRoleType: customRoles.roleType,
      inviterFirstName: members.firstName,
      inviterLastName: members.lastName,
      inviterUsername: members.username,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(members, eq(members.id, invitations.inviterId))
    .leftJoin(customRoles, eq(customRoles.id, invitations.customRoleId));
}
