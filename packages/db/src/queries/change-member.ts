import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Locale } from '../tables/member-tables.js';
import type { AccessTransaction } from './change-access.js';
import type { StaffTransaction } from './change-staff-status.js';
import { ARCHIVED, ARCHIVED_LABEL, isBannedAt, isLiveOrLeaving, NO_BAN } from './member-columns.js';

/**
 * Records that a person who proved the member's address also has one of their credentials. Does nothing if
 * the stored password no longer matches the expected one.
 */
export async function proveOwner(
  tx: AccessTransaction,
  proof: { memberId: number; expectedPassword: string | undefined; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  const { memberId, expectedPassword, nowMs } = proof;
  await tx.write(
    tx
      .update(members)
      .set({ ownerProvenAtMs: sql`coalesce(${members.ownerProvenAtMs}, ${nowMs})` })
      .where(
        and(
          eq(members.id, memberId),
          expectedPassword === undefined ? undefined : eq(members.password, expectedPassword),
        ),
      ),
  );
}

/** A member's names and mail language. Missing fields stay unchanged. */
export interface MemberProfile {
  firstName?: string | undefined;
  firstNameKey?: string | undefined;
  lastName?: string | undefined;
  lastNameKey?: string | undefined;
  username?: string | undefined;
  usernameKey?: string | undefined;
  locale?: Locale | undefined;
}

/**
 * Changes a member's names.
 * @throws DuplicateKeyError when another member has that username
 */
export async function setMemberProfile(
  tx: AccessTransaction,
  { memberId, nowMs, ...profile }: MemberProfile & { memberId: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs, ...profile })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
}

/** Gives a member who is not banned another base role, and sets their staff status if `isPersonnel` is given. */
export async function setMemberRole(
  tx: StaffTransaction,
  change: { memberId: number; roleType: number; role: string; isPersonnel?: boolean; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        roleType: change.roleType,
        role: change.role,
        updatedAtMs: change.nowMs,
        ...NO_BAN,
        ...(change.isPersonnel === undefined ? {} : { isPersonnel: change.isPersonnel }),
      })
      .where(and(eq(members.id, change.memberId), isLiveOrLeaving(tx.tables))),
  );
  return rows === 1;
}

/** A stored ban. */
export interface Ban {
  /** The base role that the member keeps, and its label. */
  roleType: number;
  role: string;
  /** Null for a ban without an end. */
  untilMs: number | null;
  reason: string | null;
}

/** Bans a member, or changes the end and reason of a ban. The caller has locked them. */
export async function setBan(
  tx: StaffTransaction,
  { memberId, bannedById, nowMs, ...ban }: Ban & { memberId: number; bannedById: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({
        roleType: ARCHIVED,
        role: ban.role,
        bannedRoleType: ban.roleType,
        bannedUntilMs: ban.untilMs,
        banReason: ban.reason,
        bannedAtMs: nowMs,
        bannedById,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isLiveOrLeaving(tx.tables))),
  );
}

/** Gives a banned member another base role, which applies after the ban. The caller has locked them. */
export async function setBannedRole(
  tx: StaffTransaction,
  change: { memberId: number; roleType: number; role: string; untilMs: number | null; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({
        bannedRoleType: change.roleType,
        role: change.role,
        bannedUntilMs: change.untilMs,
        updatedAtMs: change.nowMs,
      })
      .where(
        and(eq(members.id, change.memberId), eq(members.isDeleted, false), eq(members.roleType, ARCHIVED)),
      ),
  );
}

/** A current ban. Imported ones, and those by hand, have no details. */
export interface BanDetail {
  atMs: number | null;
  byId: number | null;
  /** Null for a ban without an end. */
  untilMs: number | null;
  reason: string | null;
}

/** The ban of a member at a moment. Undefined without a ban, or if it has ended. */
export async function findBan(
  db: Database,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<BanDetail | undefined> {
  const { members } = db.tables;
  const { role, bannedRoleType, bannedAtMs, bannedById, bannedUntilMs, banReason } = members;
  const [row] = await db
    .select({ role, bannedRoleType, bannedAtMs, bannedById, bannedUntilMs, banReason })
    .from(members)
    .where(and(eq(members.id, memberId), isBannedAt(db.tables, nowMs)));
  if (row === undefined) return undefined;
  const { atMs, byId, reason } = banDetails(row);
  return { atMs, byId, untilMs: knowsDetails(row) ? row.bannedUntilMs : null, reason };
}

/** Who banned a member, when and why. The columns of a ban by hand may have an earlier ban's. */
export function banDetails(row: {
  role: string;
  bannedRoleType: number | null;
  bannedAtMs: number | null;
  bannedById: number | null;
  banReason: string | null;
}): Pick<BanDetail, 'atMs' | 'byId' | 'reason'> {
  if (!knowsDetails(row)) return { atMs: null, byId: null, reason: null };
  return { atMs: row.bannedAtMs, byId: row.bannedById, reason: row.banReason };
}

function knowsDetails({ role, bannedRoleType }: { role: string; bannedRoleType: number | null }): boolean {
  return bannedRoleType !== null && role !== ARCHIVED_LABEL;
}
