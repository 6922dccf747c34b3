import { and, eq, gt, isNull, not, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { Locale, PendingAwaits } from '../tables/member-tables.js';
import { banEnd, isActiveMember, isBannedAt, type MemberRow, memberColumns } from './member-columns.js';
import { idList, inIds } from './paging.js';
import { prepareRead } from './prepared.js';

/** A member as they see themselves. */
export interface MemberDetail extends MemberRow {
  pendingEmail: string | null;
  /** If it is null with a pending address, only the new mailbox must still confirm. */
  pendingAwaits: PendingAwaits | null;
  hasPassword: boolean;
  /** When a sign-in showed that the password is one of those tried first. */
  passwordListedAtMs: number | null;
  locale: Locale;
}

/** The columns of a `MemberDetail`. */
export function memberDetailColumns(tables: Tables) {
  const { pendingEmail, pendingAwaits, hasPassword, passwordListedAtMs, locale } = tables.members;
  return { ...memberColumns(tables), pendingEmail, pendingAwaits, hasPassword, passwordListedAtMs, locale };
}

const preparedMember = prepareRead((db) =>
  db
    .select(memberDetailColumns(db.tables))
    .from(db.tables.members)
    .where(eq(db.tables.members.id, sql.placeholder('memberId'))),
);

/** A member by id, deleted ones included. */
export async function findMember(db: Database, memberId: number): Promise<MemberDetail | undefined> {
  const [row] = await preparedMember(db, { memberId });
  return row;
}

/** Whether a member is deleted, since when, and until when they can come back. */
interface DeletedMember {
  isDeleted: boolean;
  deletedAtMs: number | null;
  /** The member of staff who deleted them, perhaps after they had deleted themselves. */
  deletedById: number | null;
  /** Null for members who did not delete themselves, and for erased ones. */
  erasesAtMs: number | null;
}

/** The state of a member. */
export async function findDeletedMember(db: Database, memberId: number): Promise<DeletedMember | undefined> {
  const { id, isDeleted, deletedAtMs, deletedById, erasesAtMs } = db.tables.members;
  const [row] = await db
    .select({ isDeleted, deletedAtMs, deletedById, erasesAtMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  return row;
}

/** The live member with an address, confirmed or not. */
export async function findMemberByAddress(
  db: Database,
  emailKey: string,
): Promise<{ id: number; isConfirmed: boolean } | undefined> {
  const { members } = db.tables;
  const { id, emailConfirmedAtMs } = members;
  const [row] = await db
    .select({ id, emailConfirmedAtMs })
    .from(members)
    .where(and(eq(members.emailKey, emailKey), eq(members.isDeleted, false)));
  return row && { id: row.id, isConfirmed: row.emailConfirmedAtMs !== null };
}

/** The live staff member whose unexpired auth_token has this digest. */
export async function findMemberByAuthToken(
  db: Database,
  { digest, nowMs }: { digest: string; nowMs: number },
): Promise<MemberRow | undefined> {
  const { members } = db.tables;
  const [row] = await db
    .select(memberColumns(db.tables))
    .from(members)
    .where(
      and(
        eq(members.authTokenDigest, digest),
        gt(members.authTokenExpiresAtMs, nowMs),
        eq(members.isPersonnel, true),
        isActiveMember(db.tables, nowMs),
      ),
    );
  return row;
}

/** A member who deleted themselves, still has their address, and can come back. */
export interface ReturningHolder {
  id: number;
  email: string;
  erasesAtMs: number;
}

/**
 * The member who deleted themselves and has an address until they are erased. Undefined for every other address, and while a ban
 * would keep them out.
 */
export async function findReturningHolder(
  db: Database,
  { emailKey, nowMs }: { emailKey: string; nowMs: number },
): Promise<ReturningHolder | undefined> {
  const { members } = db.tables;
  const { id, email, erasesAtMs } = members;
  const [row] = await db
    .select({ id, email, erasesAtMs })
    .from(members)
    .where(
      and(
        eq(members.emailKey, emailKey),
        eq(members.isDeleted, true),
        isNull(members.deletedById),
        gt(erasesAtMs, nowMs),
        not(isBannedAt(db.tables, nowMs)),
      ),
    );
  if (row === undefined || row.email === null || row.erasesAtMs === null) return undefined;
  return { id: row.id, email: row.email, erasesAtMs: row.erasesAtMs };
}

/** A member's mail address, with the fields that a proof of the address is checked against. */
export interface MemberAddress {
  id: number;
  username: string;
  email: string | null;
  emailKey: string | null;
  emailConfirmedAtMs: number | null;
  /** When the owner of the address was proven. See `isProven`. */
  ownerProvenAtMs: number | null;
  pendingEmail: string | null;
  pendingEmailKey: string | null;
  pendingAwaits: PendingAwaits | null;
  pendingSinceMs: number | null;
  /** When an agreement of the old mailbox without a proof takes effect. */
  pendingEffectiveAtMs: number | null;
  /** Null for a password that was never changed. */
  passwordChangedAtMs: number | null;
  /** False while nobody knows the stored password. */
  hasPassword: boolean;
  isPersonnel: boolean;
  /** When their ban ends or ended; 0 without a ban. See `isBanned`. */
  bannedUntilMs: number;
  isDeleted: boolean;
}

/** The current and the pending address of a member, deleted ones included. */
export async function findMemberAddress(db: Database, memberId: number): Promise<MemberAddress | undefined> {
  const { members } = db.tables;
  const { id, username, email, emailKey, emailConfirmedAtMs, ownerProvenAtMs } = members;
  const { pendingEmail, pendingEmailKey, pendingAwaits, pendingSinceMs, pendingEffectiveAtMs } = members;
  const { passwordChangedAtMs, hasPassword, isPersonnel, isDeleted } = members;
  const [row] = await db
    .select({
      id,
      username,
      email,
      emailKey,
      emailConfirmedAtMs,
      ownerProvenAtMs,
      pendingEmail,
      pendingEmailKey,
      pendingAwaits,
      pendingSinceMs,
      pendingEffectiveAtMs,
      passwordChangedAtMs,
      hasPassword,
      isPersonnel,
      bannedUntilMs: banEnd(db.tables),
      isDeleted,
    })
    .from(members)
    .where(eq(members.id, memberId));
  return row;
}

/** A member's names. */
export interface MemberName {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
}

/** The names of members, deleted ones included. */
export async function listMemberNames(db: Database, memberIds: readonly number[]): Promise<MemberName[]> {
  if (memberIds.length === 0) return [];
  const { members } = db.tables;
  const { id, username, firstName, lastName } = members;
  return db
    .select({ id, username, firstName, lastName })
    .from(members)
    .where(inIds(db, id, memberIds));
}

/** Whether a member is staff, until when they are banned, and what decides whether they may own an account. */
export interface MemberState {
  memberId: number;
  isPersonnel: boolean;
  /** When the address was proved together with the password or a session; null until then. */
  ownerProvenAtMs: number | null;
  /** The highest level of authentication that their factors reach. */
  factorLevel: number;
  /** See `isBanned`. */
  bannedUntilMs: number;
}

/**
 * The state of each of the given members, deleted ones included.
 * @param rpId the relying party whose passkeys count; none do without it
 */
export async function listMemberStates(
  db: Database,
  ids: readonly number[],
  rpId: string | undefined,
): Promise<ReadonlyMap<number, MemberState>> {
  if (ids.length === 0) return new Map();
  const rows = await preparedStates(db, { ids: idList(db, ids), rpId: rpId ?? '' });
  return new Map(rows.map((row) => [row.memberId, row]));
}

const preparedStates = prepareRead((db) => {
  const { members, passkeys, totpFactors } = db.tables;
  const { id, isPersonnel, ownerProvenAtMs } = members;
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.memberId} = ${id} and ${passkeys.suspectAtMs} is null and ${passkeys.rpId} = ${sql.placeholder('rpId')})`;
  const hasTotp = sql`exists (select 1 from ${totpFactors} where ${totpFactors.memberId} = ${id} and ${totpFactors.confirmedAtMs} is not null)`;
  const factorLevel = sql<number>`case when ${hasPasskey} then 3 when ${hasTotp} then 2 else 1 end`;
  return db
    .select({
      memberId: id,
      isPersonnel,
      ownerProvenAtMs,
      factorLevel: factorLevel.mapWith(Number),
      bannedUntilMs: banEnd(db.tables),
    })
    .from(members)
    .where(inIds(db, members.id, sql.placeholder('ids')));
});
