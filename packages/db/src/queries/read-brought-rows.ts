import { inArray } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The columns of members that a move compares, by id. */
export async function readBroughtMembers(db: Database, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { members } = db.tables;
  return db
    .select({
      id: members.id,
      sid: members.sid,
      username: members.username,
      firstName: members.firstName,
      lastName: members.lastName,
      email: members.email,
      emailConfirmedAtMs: members.emailConfirmedAtMs,
      role_type: members.roleType,
      bannedRoleType: members.bannedRoleType,
      isPersonnel: members.isPersonnel,
      isDeleted: members.isDeleted,
      defaultPaymentId: members.defaultPaymentId,
      createdAt: members.createdAtMs,
      password: members.password,
      hasPassword: members.hasPassword,
      passwordChangedAtMs: members.passwordChangedAtMs,
      lastLoginAtMs: members.lastLoginAtMs,
    })
    .from(members)
    .where(inArray(members.id, [...ids]));
}

/** The columns of accounts that a move compares, by id. */
export async function readBroughtAccounts(db: Database, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { id, name, ownerId, isDeleted, createdAtMs } = db.tables.accounts;
  return db
    .select({ id, name, ownerId, isDeleted, createdAt: createdAtMs })
    .from(db.tables.accounts)
    .where(inArray(id, [...ids]));
}

/** The columns of the memberships of these members that a move compares. */
export async function readBroughtMemberships(db: Database, memberIds: readonly number[]) {
  if (memberIds.length === 0) return [];
  const { memberId, accountId, roleType, isDeleted, active } = db.tables.memberships;
  return db
    .select({ memberId, accountId, roleType, isDeleted, active })
    .from(db.tables.memberships)
    .where(inArray(memberId, [...new Set(memberIds)]));
}

/** The columns of the grants of these staff that a move compares. */
export async function readBroughtGrants(db: Database, personnelIds: readonly number[]) {
  if (personnelIds.length === 0) return [];
  const { personnelId, accountId, isDeleted, active } = db.tables.personnelGrants;
  return db
    .select({ personnelId, accountId, isDeleted, active })
    .from(db.tables.personnelGrants)
    .where(inArray(personnelId, [...new Set(personnelIds)]));
}

/** The columns of the partners of these names that a move compares. */
export async function readBroughtPartners(db: Database, names: readonly string[]) {
  if (names.length === 0) return [];
  const { name, externalId, appUrl } = db.tables.partners;
  return db
    .select({ name, externalId, appUrl })
    .from(db.tables.partners)
    .where(inArray(name, [...names]));
}
