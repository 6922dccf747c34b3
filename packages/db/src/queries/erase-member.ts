import { and, asc, eq, gt, inArray, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { eraseInvitationEvents, eraseMemberEvents } from './events.js';
import { isAnswerable } from './invitations.js';
import { baseRole, NO_PENDING_ADDRESS } from './member-columns.js';
import { eraseScimUser } from './scim-users.js';

/** A member whose grace is over, and their address if they proved it: rows of a stranger's address are not theirs. */
export interface DueMember {
  id: number;
  /** The base role, which a ban does not change. */
  roleType: number;
  email: string | null;
  emailKey: string | null;
}

/** The members who deleted themselves and whose grace is over, at most `limit`. */
export async function listDueMembers(
  db: Database,
  { byMs, limit }: { byMs: number; limit: number },
): Promise<DueMember[]> {
  const { id, email, emailKey, emailConfirmedAtMs, isDeleted, erasesAtMs } = db.tables.members;
  const rows = await db
    .select({ id, roleType: baseRole(db.tables), email, emailKey, emailConfirmedAtMs })
    .from(db.tables.members)
    .where(and(isNotNull(erasesAtMs), lte(erasesAtMs, byMs), eq(isDeleted, true)))
    .orderBy(asc(erasesAtMs))
    .limit(limit);
  return rows.map(({ emailConfirmedAtMs: confirmedAtMs, ...member }) =>
    confirmedAtMs === null ? { ...member, email: null, emailKey: null } : member,
  );
}

/**
 * Erases a member whose grace is over: names, addresses, identities, events, mails, and their audit-log key.
 * The id stays, so their messages keep an author. False if they came back.
 * @param erased `role` is the usual label of the base role, in place of one that staff typed; `anonymous`
 * replaces the username and the login identifier, and nobody has it; no password matches `password`
 */
export async function eraseMember(
  tx: AccessTransaction,
  { id: memberId, email, emailKey }: DueMember,
  erased: { anonymous: string; role: string; password: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const { anonymous, role, password, nowMs } = erased;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        sid: anonymous,
        sidKey: anonymous,
        username: anonymous,
        usernameKey: anonymous,
        firstName: 'Deleted',
        firstNameKey: '',
        lastName: 'member',
        lastNameKey: '',
        role,
        email: null,
        emailKey: null,
        emailConfirmedAtMs: null,
        ownerProvenAtMs: null,
        ...NO_PENDING_ADDRESS,
        password,
        passwordIsPlain: false,
        passwordRounds: null,
        passwordDelayMs: null,
        passwordListedAtMs: null,
        hasPassword: false,
        banReason: null,
        secondFactor: false,
        emailStep: false,
        passkeyUserId: null,
        lastLoginAtMs: null,
        erasesAtMs: null,
        erasedAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, true), lte(members.erasesAtMs, nowMs))),
  );
  if (rows === 0) return false;
  await removeOwnRows(tx, memberId);
  await forgetElsewhere(tx, { memberId, nowMs });
  if (email !== null && emailKey !== null) await forgetAddress(tx, { email, emailKey, nowMs });
  return true;
}

/** Rows that concern only this member. */
async function removeOwnRows(tx: AccessTransaction, member: number): Promise<void> {
  const { loginFailures, loginFamiliarity, mailOutbox, memberKeys, oneTimePasswords } = tx.tables;
  const { partnerMembers, securityEvents, sessions, socialConnections, socialStates } = tx.tables;
  const { ssoLogins, ssoRuns, ssoSubjects } = tx.tables;
  const { backupCodes, enrolmentTickets, foreignIds, formerAddresses, mailedCodes, passkeys } = tx.tables;
  const { applicationLogins, consents, oauthArtifacts, recoveries, signInChallenges, totpFactors } =
    tx.tables;
  await tx.write(tx.delete(sessions).where(eq(sessions.memberId, member)));
  await tx.write(tx.delete(socialConnections).where(eq(socialConnections.memberId, member)));
  await tx.write(tx.delete(socialStates).where(eq(socialStates.memberId, member)));
  await tx.write(tx.delete(oneTimePasswords).where(eq(oneTimePasswords.memberId, member)));
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, member)));
  const holders = [`member:${member}`, `totp:${member}`, `backupCode:${member}`, `emailCode:${member}`];
  await tx.write(tx.delete(loginFailures).where(inArray(loginFailures.holder, holders)));
  await tx.write(tx.delete(totpFactors).where(eq(totpFactors.memberId, member)));
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, member)));
  await tx.write(tx.delete(passkeys).where(eq(passkeys.memberId, member)));
  await tx.write(tx.delete(mailedCodes).where(eq(mailedCodes.memberId, member)));
  await tx.write(tx.delete(foreignIds).where(eq(foreignIds.memberId, member)));
  await tx.write(tx.delete(formerAddresses).where(eq(formerAddresses.memberId, member)));
  await tx.write(tx.delete(recoveries).where(eq(recoveries.memberId, member)));
  await tx.write(tx.delete(enrolmentTickets).where(eq(enrolmentTickets.memberId, member)));
  await tx.write(tx.delete(signInChallenges).where(eq(signInChallenges.memberId, member)));
  await tx.write(tx.delete(oauthArtifacts).where(eq(oauthArtifacts.memberId, member)));
  await tx.write(tx.delete(applicationLogins).where(eq(applicationLogins.memberId, member)));
  await tx.write(tx.delete(consents).where(eq(consents.memberId, member)));
  await tx.write(tx.delete(securityEvents).where(eq(securityEvents.memberId, member)));
  await tx.write(tx.delete(partnerMembers).where(eq(partnerMembers.memberId, member)));
  await tx.write(tx.delete(ssoRuns).where(eq(ssoRuns.memberId, member)));
  await tx.write(tx.delete(ssoLogins).where(eq(ssoLogins.memberId, member)));
  await tx.write(tx.delete(ssoSubjects).where(eq(ssoSubjects.memberId, member)));
  await tx.write(tx.delete(mailOutbox).where(eq(mailOutbox.memberId, member)));
  await tx.write(tx.delete(memberKeys).where(eq(memberKeys.memberId, member)));
}

/** Rows that also contain data of others. */
async function forgetElsewhere(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { accounts, affiliates, impersonations, invitations, memberships } = tx.tables;
  await tx.write(tx.update(impersonations).set({ reason: '' }).where(eq(impersonations.memberId, memberId)));
  await tx.write(
    tx.update(memberships).set({ endedWithMember: false }).where(eq(memberships.memberId, memberId)),
  );
  await tx.write(
    tx.update(affiliates).set({ payoutEmail: '', active: false }).where(eq(affiliates.memberId, memberId)),
  );
  await eraseScimUser(tx, memberId);
  await eraseMemberEvents(tx, memberId);
  // Also those to a former address.
  const isAccepted = and(eq(invitations.endedById, memberId), eq(invitations.status, 'accepted'));
  const accepted = await invitationsWhere(tx, isAccepted);
  await tx.write(
    tx.update(invitations).set({ email: '', emailKey: '', updatedAtMs: nowMs }).where(isAccepted),
  );
  // After the update, which waits for changes of the invitations that are under way.
  await eraseInvitationEvents(tx, accepted);
  // Accounts closed with the member are named after the member, unless they were renamed.
  await tx.write(
    tx
      .update(accounts)
      .set({ erasesAtMs: nowMs })
      .where(and(eq(accounts.closedWithMemberId, memberId), gt(accounts.erasesAtMs, nowMs))),
  );
}

/** Includes mails to or about the address from before it was theirs. */
async function forgetAddress(
  tx: AccessTransaction,
  { email, emailKey, nowMs }: { email: string; emailKey: string; nowMs: number },
): Promise<void> {
  const { billingCustomers, invitations, mailOutbox } = tx.tables;
  const isTheirs = (column: typeof mailOutbox.recipient | typeof billingCustomers.email) =>
    eq(sql`lower(${column})`, email.toLowerCase());
  const mails = await tx
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(or(eq(mailOutbox.recipient, email), isTheirs(mailOutbox.recipient)));
  if (mails.length > 0) {
    const ids = mails.map(({ id }) => id);
    await tx.write(tx.delete(mailOutbox).where(inArray(mailOutbox.id, ids)));
  }
  const customers = await tx
    .select({ id: billingCustomers.id, detail: billingCustomers.detail })
    .from(billingCustomers)
    .where(isTheirs(billingCustomers.email));
  for (const { id, detail } of customers)
    await tx.write(
      tx
        .update(billingCustomers)
        .set({ email: null, name: null, detail: withoutProfile(detail), updatedAtMs: nowMs })
        .where(eq(billingCustomers.id, id)),
    );
  const isToIt = eq(invitations.emailKey, emailKey);
  const toIt = await invitationsWhere(tx, isToIt);
  await tx.write(
    tx.update(invitations).set({ email: '', emailKey: '', openKey: null, updatedAtMs: nowMs }).where(isToIt),
  );
  await eraseInvitationEvents(tx, toIt);
  await tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedAtMs: nowMs })
      .where(and(eq(invitations.email, ''), isAnswerable(tx.tables, nowMs))),
  );
}

async function invitationsWhere(
  tx: AccessTransaction,
  condition: SQL | undefined,
): Promise<{ id: number; accountId: number }[]> {
  const { id, accountId } = tx.tables.invitations;
  return tx.select({ id, accountId }).from(tx.tables.invitations).where(condition);
}

/** A customer without name and address: the account that pays stays known, because it may have other owners. */
function withoutProfile(detail: unknown): unknown {
  if (typeof detail !== 'object' || detail === null) return null;
  return Object.fromEntries(Object.entries(detail).filter(([key]) => key !== 'profile'));
}
