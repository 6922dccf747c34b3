import { and, count, eq, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import {
  isActiveMember,
  type MemberRow,
  memberColumns,
  NO_PENDING_ADDRESS,
  newPassword,
} from './member-columns.js';
import { given, prepareRead } from './prepared.js';
import { areSessionsHeard } from './session-events.js';

/** The fields of a member that a login checks. */
export interface Credential extends MemberRow {
  sidKey: string;
  emailKey: string | null;
  /** A bcrypt hash; the password itself where `passwordIsPlain`; or a text that signs nobody in. */
  password: string;
  /** Whether the operator declared that the stored text is the password. */
  passwordIsPlain: boolean;
  /** False if nobody knows the password, such as that of a member who came through a provider. */
  hasPassword: boolean;
  /** Bcrypt rounds of one comparison; null for a hash of our own cost. */
  passwordRounds: number | null;
  passwordDelayMs: number | null;
  /** When a sign-in showed that the password is one of those tried first. */
  passwordListedAtMs: number | null;
  /** When they last signed in; null if never. */
  lastLoginAtMs: number | null;
  /** Counts the changes of second factors and of the address. */
  factorEpoch: number;
  /** Whether a sign-in takes a second step. */
  secondFactor: boolean;
  /** Whether an endpoint gets events of sessions, so that a sign-in needs no read of its own for that. */
  areSessionsHeard: boolean;
}

const preparedCredential = prepareRead<Credential, { key: string }>((db) => {
  const { members } = db.tables;
  const { sidKey, emailKey } = members;
  return db
    .select(credentialColumns(db))
    .from(members)
    .where(or(eq(sidKey, given(sidKey, 'key')), eq(emailKey, given(emailKey, 'key'))))
    .limit(2);
});

/** The credential of the member with this login identifier, or else this e-mail address, deleted ones included. */
export async function findCredential(db: Database, key: string): Promise<Credential | undefined> {
  const rows = await preparedCredential(db, { key });
  return rows.find(({ sidKey }) => sidKey === key) ?? rows[0];
}

/** The columns of a `Credential`. */
function credentialColumns(db: Database) {
  const { tables } = db;
  const { sidKey, emailKey, password, passwordIsPlain, hasPassword, passwordListedAtMs } = tables.members;
  const { passwordRounds, passwordDelayMs } = tables.members;
  const { factorEpoch, lastLoginAtMs, secondFactor } = tables.members;
  const cost = { passwordRounds, passwordDelayMs };
  const known = { passwordIsPlain, hasPassword, passwordListedAtMs };
  const secrets = { sidKey, emailKey, password, ...known, ...cost };
  const state = { factorEpoch, lastLoginAtMs, secondFactor };
  return { ...memberColumns(tables), ...secrets, ...state, areSessionsHeard: areSessionsHeard(db) };
}

/** The credential of the member with this id, deleted ones included. */
export async function findCredentialById(db: Database, memberId: number): Promise<Credential | undefined> {
  const { members } = db.tables;
  const [row] = await db.select(credentialColumns(db)).from(members).where(eq(members.id, memberId));
  return row;
}

/**
 * Changes a member's password, unless the stored one is not the expected one. Returns whether it did. The
 * auth_token ends; the caller ends sessions (`endAllSessions`).
 */
export async function setPassword(
  tx: AccessTransaction,
  change: { memberId: number; hash: string; nowMs: number; expectedPassword?: string },
): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, hash, nowMs, expectedPassword } = change;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        ...newPassword(hash, { hasPassword: true, nowMs }),
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          expectedPassword === undefined ? undefined : eq(members.password, expectedPassword),
        ),
      ),
  );
  return rows === 1;
}

/** A password reset, with the member's state when it was requested. */
export interface PasswordReset {
  memberId: number;
  /** The key of the address the link went to. */
  emailKey: string;
  /** When the forgotten password was set; null if it was never changed, undefined if an unproven person knew it. */
  passwordChangedAtMs: number | null | undefined;
  hash: string;
  nowMs: number;
}

/**
 * Gives a member who proved their address a new password. This confirms the address and cancels a pending one. False if the
 * address changed since the link was created, the member is gone, or the password changed. If an unproven person knew the
 * password, a change of it does not matter; then false if the owner was proven since, or nobody knows the password any more.
 */
export async function resetPassword(tx: AccessTransaction, reset: PasswordReset): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, emailKey, passwordChangedAtMs, hash, nowMs } = reset;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        ...newPassword(hash, { hasPassword: true, nowMs }),
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        ...NO_PENDING_ADDRESS,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.emailKey, emailKey),
          isSamePassword(tx, passwordChangedAtMs),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}

function isSamePassword({ tables }: AccessTransaction, changedAtMs: number | null | undefined) {
  const { emailConfirmedAtMs, hasPassword, ownerProvenAtMs, passwordChangedAtMs } = tables.members;
  if (changedAtMs === undefined)
    return and(eq(hasPassword, true), or(isNull(ownerProvenAtMs), isNull(emailConfirmedAtMs)));
  return changedAtMs === null ? isNull(passwordChangedAtMs) : eq(passwordChangedAtMs, changedAtMs);
}

const OWN_COST = { passwordRounds: null, passwordDelayMs: null };

/**
 * Replaces a stored password by a hash of the same password, unless it was changed meanwhile. Returns whether it
 * did. The cost is given for hashes not of our own cost. The password itself is the same, so no session
 * ends and nothing is logged.
 */
export async function setPasswordHash(
  db: Database,
  memberId: number,
  expectedPassword: string,
  hash: string,
  { passwordRounds, passwordDelayMs }: Pick<Credential, 'passwordRounds' | 'passwordDelayMs'> = OWN_COST,
): Promise<boolean> {
  const { members } = db.tables;
  const rows = await db.write(
    db
      .update(members)
      .set({ password: hash, passwordIsPlain: false, passwordRounds, passwordDelayMs })
      .where(and(eq(members.id, memberId), eq(members.password, expectedPassword))),
  );
  return rows === 1;
}

/** A password that another system has verified, with the member's state when it was asked. */
export interface AdoptedPassword {
  memberId: number;
  emailKey: string;
  expectedPassword: string;
  hash: string;
  nowMs: number;
}

/**
 * Stores the password that a member without one has in another system. It is not a new password, so sessions continue and reset
 * links stay valid. False if the member has one by now, or another address, or may no longer sign in, or is staff.
 */
export async function adoptPassword(tx: AccessTransaction, adopted: AdoptedPassword): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, emailKey, expectedPassword, hash, nowMs } = adopted;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ password: hash, passwordIsPlain: false, ...OWN_COST, updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.password, expectedPassword),
          eq(members.hasPassword, true),
          eq(members.emailKey, emailKey),
          eq(members.isPersonnel, false),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}

/** Gives a member names if they have none. Returns whether it did. */
export async function fillInNames(
  tx: AccessTransaction,
  { memberId, names }: { memberId: number; names: Names },
): Promise<boolean> {
  const { members } = tx.tables;
  const hasNone = and(eq(members.firstName, ''), eq(members.lastName, ''));
  const rows = await tx.write(
    tx
      .update(members)
      .set(names)
      .where(and(eq(members.id, memberId), hasNone)),
  );
  return rows === 1;
}

interface Names {
  firstName: string;
  firstNameKey: string;
  lastName: string;
  lastNameKey: string;
}

/** How many members who may sign in came without a password and have none yet; reads every member. */
export async function countWithoutPassword(
  db: Database,
  { unusable, nowMs }: { unusable: string; nowMs: number },
): Promise<number> {
  const { members } = db.tables;
  const { password, hasPassword, isPersonnel } = members;
  const [row] = await db
    .select({ count: count() })
    .from(members)
    .where(
      and(
        eq(password, unusable),
        eq(hasPassword, true),
        eq(isPersonnel, false),
        isActiveMember(db.tables, nowMs),
      ),
    );
  return row?.count ?? 0;
}

/**
 * Records that a member's password is one of those that are tried first. False if that was known, or the password has changed.
 */
export async function recordListedPassword(
  tx: AccessTransaction,
  { memberId, expectedPassword, nowMs }: { memberId: number; expectedPassword: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ passwordListedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.password, expectedPassword),
          isNull(members.passwordListedAtMs),
        ),
      ),
  );
  return rows === 1;
}
