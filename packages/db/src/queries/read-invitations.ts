import { and, desc, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { InvitationStatus } from '../tables/account-tables.js';
import type { Tables } from '../tables/define-tables.js';
import type { MailState } from '../tables/operation-tables.js';
import { countUpTo } from './paging.js';

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

/** An invitation as inviters see it. */
export interface ListedInvitation extends InvitationRow {
  /** The name of a custom role. */
  customRoleName: string | null;
  /** The current rank of that role. */
  customRoleType: number | null;
  /** Null if there is no mail, or it is no longer stored. */
  mailState: MailState | null;
  inviterFirstName: string | null;
  inviterLastName: string | null;
  inviterUsername: string | null;
}

/** A filter for an account's invitations. `pending` ones are open and have not expired. */
export interface InvitationFilter {
  accountId: number;
  only: Exclude<InvitationStatus, 'open'> | 'pending' | 'expired' | undefined;
  nowMs: number;
}

/** The invitations of an account, the newest first; `beforeId` pages on. */
export async function listInvitations(
  db: Database,
  filter: InvitationFilter,
  { beforeId, limit }: { beforeId: number; limit: number },
): Promise<ListedInvitation[]> {
  const { invitations } = db.tables;
  return selectListed(db)
    .where(
      and(eq(invitations.accountId, filter.accountId), lt(invitations.id, beforeId), narrowed(db, filter)),
    )
    .orderBy(desc(invitations.id))
    .limit(limit);
}

/** The select of the newest invitations of an account, whatever became of them. */
export function selectNewestInvitations(db: Database) {
  const { id, accountId } = db.tables.invitations;
  return selectListed(db)
    .where(eq(accountId, sql.placeholder('accountId')))
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/** How many an account has sent, at most `MAX_COUNTED`. */
export function countInvitations(db: Database, accountId: number): Promise<number> {
  const { invitations } = db.tables;
  return countUpTo(db, invitations, eq(invitations.accountId, accountId));
}

/** One invitation as inviters see it. */
export async function findListedInvitation(
  db: Database,
  invitationId: number,
): Promise<ListedInvitation | undefined> {
  const [row] = await selectListed(db).where(eq(db.tables.invitations.id, invitationId));
  return row;
}

function selectListed(db: Database) {
  const { invitations, customRoles, mailOutbox, members } = db.tables;
  return db
    .select({
      ...invitationColumns(db.tables),
      customRoleName: customRoles.name,
      customRoleType: customRoles.roleType,
      mailState: mailOutbox.state,
      inviterFirstName: members.firstName,
      inviterLastName: members.lastName,
      inviterUsername: members.username,
    })
    .from(invitations)
    .leftJoin(customRoles, eq(customRoles.id, invitations.customRoleId))
    .leftJoin(mailOutbox, eq(mailOutbox.id, invitations.mailId))
    .leftJoin(members, eq(members.id, invitations.inviterId));
}

function narrowed({ tables }: Database, { only, nowMs }: InvitationFilter): SQL | undefined {
  const { status, expiresAtMs } = tables.invitations;
  switch (only) {
    case undefined:
      return undefined;
    case 'pending':
      return and(eq(status, 'open'), gt(expiresAtMs, nowMs));
    case 'expired':
      return and(eq(status, 'open'), lte(expiresAtMs, nowMs));
    default:
      return eq(status, only);
  }
}

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
