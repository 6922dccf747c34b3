import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { isActiveMember } from './member-columns.js';

/** The member who is linked to a subject of an identity provider. */
export type SsoSubject = Tables['ssoSubjects']['$inferSelect'];

export async function findSsoSubject(
  db: Database,
  { connectionId, subjectKey }: { connectionId: number; subjectKey: string },
): Promise<SsoSubject | undefined> {
  const { ssoSubjects } = db.tables;
  const [row] = await db
    .select()
    .from(ssoSubjects)
    .where(and(eq(ssoSubjects.connectionId, connectionId), eq(ssoSubjects.subjectKey, subjectKey)));
  return row;
}

/** @throws {DuplicateKeyError} if the subject is known already */
export async function insertSsoSubject(
  tx: AccessTransaction,
  subject: Pick<SsoSubject, 'connectionId' | 'accountId' | 'subjectKey' | 'subject' | 'memberId'> & {
    nowMs: number;
  },
): Promise<number> {
  const { nowMs, ...row } = subject;
  return tx.insert(tx.tables.ssoSubjects, { ...row, createdAtMs: nowMs, lastSignInAtMs: nowMs });
}

/** Records a sign-in. False if the subject was forgotten meanwhile. */
export async function touchSsoSubject(
  tx: AccessTransaction,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { ssoSubjects } = tx.tables;
  const isThis = eq(ssoSubjects.id, id);
  return (await tx.write(tx.update(ssoSubjects).set({ lastSignInAtMs: nowMs }).where(isThis))) === 1;
}

/**
 * Stores or withdraws a member's consent that sign-ins through an account's identity providers reach all of their accounts. It
 * covers the subjects known now, not those of providers that the account turns to later.
 */
export async function setSsoConsent(
  tx: AccessTransaction,
  consent: { memberId: number; accountId: number; consents: boolean; nowMs: number },
): Promise<boolean> {
  const { ssoSubjects } = tx.tables;
  const { memberId, accountId, consents, nowMs } = consent;
  const isTheirs = and(eq(ssoSubjects.memberId, memberId), eq(ssoSubjects.accountId, accountId));
  const [known] = await tx.select({ id: ssoSubjects.id }).from(ssoSubjects).where(isTheirs).limit(1);
  await tx.write(
    tx
      .update(ssoSubjects)
      .set({ consentedAtMs: consents ? nowMs : null })
      .where(isTheirs),
  );
  return known !== undefined;
}

/**
 * Locks a member whom an identity provider may sign in, until the transaction ends: live, and not staff, or staff for a
 * connection of the platform.
 * @param emailKey the address that they must have, if they are identified by it; staff must have proven it
 */
export async function lockSsoMember(
  tx: Database,
  {
    memberId,
    emailKey,
    isStaff = false,
    nowMs,
  }: { memberId: number; emailKey?: string | undefined; isStaff?: boolean; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const isProven = and(isNotNull(members.emailConfirmedAtMs), isNotNull(members.ownerProvenAtMs));
  const isTheirs =
    emailKey === undefined ? undefined : and(eq(members.emailKey, emailKey), isStaff ? isProven : undefined);
  const isAdmitted = and(eq(members.isPersonnel, isStaff), eq(members.isMachine, false));
  const rows = await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), isTheirs, isAdmitted, isActiveMember(tx.tables, nowMs))),
  );
  return rows === 1;
}

/** Whether a member has or had a place in an account, including a removed one. */
export async function hadPlace(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<boolean> {
  const { memberships } = db.tables;
  const [row] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId)));
  return row !== undefined;
}
