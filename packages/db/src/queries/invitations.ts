import { and, asc, count, eq, gt, inArray, lte, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { InvitationStatus } from '../tables/account-tables.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { lockRows } from './lock-rows.js';
import { type InvitationRow, invitationColumns } from './read-invitations.js';

/** An invitation by id, ended ones included. */
export async function findInvitation(db: Database, invitationId: number): Promise<InvitationRow | undefined> {
  const { invitations } = db.tables;
  const [row] = await db
    .select(invitationColumns(db.tables))
    .from(invitations)
    .where(eq(invitations.id, invitationId));
  return row;
}

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

/** The number of open invitations by one inviter to one role. */
interface OpenInvitations {
  inviterId: number;
  roleType: number;
  customRoleId: number | null;
  count: number;
}

/** The open invitations of an account that have not expired, by inviter and role. */
export async function countOpenInvitations(
  db: Database,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<OpenInvitations[]> {
  const { invitations } = db.tables;
  const { inviterId, roleType, customRoleId } = invitations;
  return db
    .select({ inviterId, roleType, customRoleId, count: count() })
    .from(invitations)
    .where(
      and(
        eq(invitations.accountId, accountId),
        eq(invitations.status, 'open'),
        gt(invitations.expiresAtMs, nowMs),
      ),
    )
    .groupBy(inviterId, roleType, customRoleId);
}

/** Whether the person with this address has a live membership in an account. */
export async function isAddressOfAccount(
  db: Database,
  { accountId, emailKey }: { accountId: number; emailKey: string },
): Promise<boolean> {
  const { members, memberships } = db.tables;
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(
      and(
        eq(members.emailKey, emailKey),
        eq(members.isDeleted, false),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** The invitations that can be accepted: open ones and, by their link until it expires, declined ones. */
export function isAnswerable({ invitations }: Tables, nowMs: number): SQL | undefined {
  const { status, expiresAtMs } = invitations;
  return or(eq(status, 'open'), and(eq(status, 'declined'), gt(expiresAtMs, nowMs)));
}

/** The invitations of an account to the address of a member that can be accepted. */
export async function listInvitationsTo(
  db: Database,
  { accountId, memberId, nowMs }: { accountId: number; memberId: number; nowMs: number },
): Promise<InvitationRow[]> {
  const { invitations, members } = db.tables;
  return db
    .select(invitationColumns(db.tables))
    .from(invitations)
    .innerJoin(members, eq(members.emailKey, invitations.emailKey))
    .where(
      and(eq(members.id, memberId), eq(invitations.accountId, accountId), isAnswerable(db.tables, nowMs)),
    )
    .orderBy(asc(invitations.id));
}

/** Whether the address was invited to the account again after an invitation. */
export async function hasLaterInvitation(
  db: Database,
  { id, accountId, emailKey }: { id: number; accountId: number; emailKey: string },
): Promise<boolean> {
  const { invitations } = db.tables;
  const [later] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(eq(invitations.emailKey, emailKey), gt(invitations.id, id), eq(invitations.accountId, accountId)),
    )
    .limit(1);
  return later !== undefined;
}

/** An invitation without a link yet. Without one it counts as expired. */
interface NewInvitation {
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

/** The newest link of an invitation. */
interface InvitationLink {
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
        untoldExpiryMs: link.expiresAtMs,
        lastSentAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .where(and(eq(invitations.id, invitationId), eq(invitations.status, 'open'))),
  );
  return rows === 1;
}

/**
 * Ends an open invitation, or accepts or revokes a declined one; true for exactly one of any number of attempts, on any node.
 */
export async function endInvitation(
  tx: Database,
  end: {
    invitationId: number;
    status: Exclude<InvitationStatus, 'open'>;
    endedById: number | null;
    nowMs: number;
  },
): Promise<boolean> {
  const { invitations } = tx.tables;
  const { invitationId, status, endedById, nowMs } = end;
  const before: InvitationStatus[] = status === 'declined' ? ['open'] : ['open', 'declined'];
  const rows = await tx.write(
    tx
      .update(invitations)
      .set({ status, endedById, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.id, invitationId), inArray(invitations.status, before))),
  );
  return rows === 1;
}

/** Revokes every invitation of a closing account that can still be accepted. Returns how many there were. */
export async function revokeInvitations(
  tx: AccessTransaction,
  { accountId, endedById, nowMs }: { accountId: number; endedById: number; nowMs: number },
): Promise<number> {
  const { invitations } = tx.tables;
  return tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedById, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.accountId, accountId), isAnswerable(tx.tables, nowMs))),
  );
}

/** Invitations whose links have expired without an event that says so, ended ones included. */
export async function listUntoldExpiries(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ id: number; accountId: number }[]> {
  const { id, accountId, untoldExpiryMs } = db.tables.invitations;
  return db
    .select({ id, accountId })
    .from(db.tables.invitations)
    .where(lte(untoldExpiryMs, nowMs))
    .orderBy(asc(untoldExpiryMs))
    .limit(limit);
}

/**
 * Notes that the event of an invitation's expiry was written. True for one of any number of attempts, unless it has a
 * newer link by then.
 */
export async function setExpiryTold(
  tx: Database,
  { invitationId, nowMs }: { invitationId: number; nowMs: number },
): Promise<boolean> {
  const { invitations } = tx.tables;
  const rows = await tx.write(
    tx
      .update(invitations)
      .set({ untoldExpiryMs: null })
      .where(and(eq(invitations.id, invitationId), lte(invitations.untoldExpiryMs, nowMs))),
  );
  return rows === 1;
}
