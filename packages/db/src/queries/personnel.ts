import { and, asc, count, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import type { StaffTransaction } from './change-staff-status.js';
import { ARCHIVED, baseRole, isActiveMember, NO_PENDING_ADDRESS, newPassword } from './member-columns.js';
import { type MemberDetail, memberDetailColumns } from './read-members.js';
import { takeTurn } from './take-turn.js';

/** A current staff member, or a disabled one. */
export async function findPersonnel(db: Database, personnelId: number): Promise<MemberDetail | undefined> {
  const { members } = db.tables;
  const [row] = await db
    .select(memberDetailColumns(db.tables))
    .from(members)
    .where(
      and(
        eq(members.id, personnelId),
        eq(members.isDeleted, false),
        or(eq(members.isPersonnel, true), isNotNull(members.personnelEndedAtMs)),
      ),
    );
  return row;
}

/** A member of staff who was invited and has not joined. */
export interface InvitedPersonnel {
  id: number;
  email: string | null;
  passwordChangedAtMs: number | null;
  /** False while their initial random password was not replaced. */
  hasPassword: boolean;
}

/**
 * The member of staff, even a disabled one, unless they have proved their address, got a password in person, or signed in. A
 * confirmed address is relevant only with a password that somebody knows: the click in the mail may be older than the invitation.
 */
export async function findInvitedPersonnel(
  db: Database,
  personnelId: number,
): Promise<InvitedPersonnel | undefined> {
  const { members } = db.tables;
  const { id, email, passwordChangedAtMs, hasPassword } = members;
  const [row] = await db
    .select({ id, email, passwordChangedAtMs, hasPassword })
    .from(members)
    .where(
      and(
        eq(id, personnelId),
        or(eq(members.isPersonnel, true), isNotNull(members.personnelEndedAtMs)),
        or(isNull(members.emailConfirmedAtMs), eq(hasPassword, false)),
        isNull(members.ownerProvenAtMs),
        isNull(members.lastLoginAtMs),
      ),
    );
  return row;
}

/** A new member of staff. */
export interface NewPersonnel {
  email: string;
  emailKey: string;
  username: string;
  usernameKey: string;
  firstName: string;
  firstNameKey: string;
  lastName: string;
  lastNameKey: string;
  /** A bcrypt hash. */
  password: string;
  /** False for a random password that was never shown. */
  hasPassword: boolean;
  roleType: number;
  role: string;
  isPersonnel: boolean;
  /** When a trusted person gave them the password. */
  ownerProvenAtMs?: number;
  /** The accounts granted to them, each once. */
  accountIds: readonly number[];
  nowMs: number;
}

/**
 * Writes a staff member with their grants. They sign in by e-mail address. Returns the id.
 * @throws {DuplicateKeyError} naming the unique index of the address or username that is taken
 */
export async function insertPersonnel(tx: AccessTransaction, person: NewPersonnel): Promise<number> {
  const { nowMs, accountIds, ...row } = person;
  const memberId = await tx.insert(tx.tables.members, {
    ...row,
    sid: row.email,
    sidKey: row.emailKey,
    personnelEndedAtMs: row.isPersonnel ? null : nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  await tx.insertMany(
    tx.tables.personnelGrants,
    accountIds.map((accountId) => ({
      personnelId: memberId,
      accountId,
      active: row.isPersonnel,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  );
  return memberId;
}

/**
 * Replaces the address of somebody who was invited to the staff and has not joined, unconfirmed. Links and codes that were
 * mailed to the former address are void. The login identifier changes too if it was that address.
 * @throws {DuplicateKeyError} if somebody else has the new one
 */
export async function setInvitedAddress(
  tx: AccessTransaction,
  { memberId, email, emailKey, nowMs }: { memberId: number; email: string; emailKey: string; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  const isThem = eq(members.id, memberId);
  const [row] = await tx
    .select({ sidKey: members.sidKey, oldKey: members.emailKey })
    .from(members)
    .where(isThem);
  await tx.write(
    tx
      .update(members)
      .set({
        email,
        emailKey,
        emailConfirmedAtMs: null,
        ...(row !== undefined && row.sidKey === row.oldKey ? { sid: email, sidKey: emailKey } : {}),
        factorEpoch: sql`${members.factorEpoch} + 1`,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
      })
      .where(isThem),
  );
}

/** Makes a member staff, or ends their staff status and records when. */
export async function setPersonnelState(
  tx: StaffTransaction,
  { memberId, isPersonnel, nowMs }: { memberId: number; isPersonnel: boolean; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ isPersonnel, personnelEndedAtMs: isPersonnel ? null : nowMs, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
}

/**
 * Ends what somebody who never proved the address of a member of staff may have left there: the password, provider profiles, a
 * pending address, partner consents and familiar addresses. Sessions and factors are ended elsewhere. The member is then like one
 * who was invited and has not joined. False if the owner has proven the address.
 * @param password a hash that no password matches
 */
export async function endUnprovenSignIns(
  tx: AccessTransaction,
  { memberId, password, nowMs }: { memberId: number; password: string; nowMs: number },
): Promise<boolean> {
  const { loginFamiliarity, members, partnerMembers, socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        ...newPassword(password, { hasPassword: false, nowMs }),
        lastLoginAtMs: null,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isNull(members.ownerProvenAtMs))),
  );
  if (rows === 0) return false;
  await tx.write(
    tx.update(partnerMembers).set({ consentedAtMs: null }).where(eq(partnerMembers.memberId, memberId)),
  );
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, memberId)));
  await tx.write(tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)));
  return true;
}

const ADMIN = 0;

const TURN = 'administrators';

/**
 * Locks the staff of base role 0 who are not banned until the transaction ends, and returns their ids. If two changes would
 * together remove the last ones, the second sees the first.
 * @param lock `turn` is a text nobody else writes, such as a random id
 */
export async function lockAdministrators(
  tx: AccessTransaction,
  { turn, nowMs }: { turn: string; nowMs: number },
): Promise<number[]> {
  await takeTurn(tx, TURN, turn);
  return listAdministrators(tx, nowMs);
}

/** The ids of the staff of base role 0 who are not banned. */
export async function listAdministrators(db: Database, nowMs: number): Promise<number[]> {
  const { members } = db.tables;
  const rows = await db
    .select({ id: members.id })
    .from(members)
    .where(
      and(
        eq(members.isPersonnel, true),
        inArray(members.roleType, [ADMIN, ARCHIVED]),
        eq(baseRole(db.tables), ADMIN),
        isActiveMember(db.tables, nowMs),
      ),
    );
  return rows.map(({ id }) => id);
}

/** The administrators, and what they lack. */
export interface RootStaff {
  members: number;
  withoutPasskey: number;
}

/** Counts the live staff of base role 0. */
export async function countRootStaff(db: Database): Promise<RootStaff> {
  const { members, passkeys } = db.tables;
  const rows = await db
    .select({ id: members.id, passkeys: count(passkeys.id) })
    .from(members)
    .leftJoin(passkeys, and(eq(passkeys.memberId, members.id), isNull(passkeys.suspectAtMs)))
    .where(isRootStaff(db))
    .groupBy(members.id);
  return { members: rows.length, withoutPasskey: rows.filter((row) => row.passkeys === 0).length };
}

/** The live staff of base role 0 and their addresses. */
export async function listRootStaff(db: Database): Promise<{ id: number; email: string | null }[]> {
  const { members } = db.tables;
  const { id, email } = members;
  return db.select({ id, email }).from(members).where(isRootStaff(db)).orderBy(asc(id));
}

function isRootStaff({ tables: { members } }: Database) {
  return and(eq(members.isPersonnel, true), eq(members.roleType, 0), eq(members.isDeleted, false));
}
