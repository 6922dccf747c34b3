import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberDetail, memberDetailColumns } from './find-member.js';

/** A member with what staff look after them by. */
export interface MemberOverview extends MemberDetail {
  passwordChangedAtMs: number | null;
  lastLoginAtMs: number | null;
  bannedRoleType: number | null;
  bannedAtMs: number | null;
  bannedById: number | null;
  banReason: string | null;
  /** Null unless they deleted themselves and are not erased yet. */
  erasesAtMs: number | null;
  /** The member of staff who deleted them, perhaps after they had deleted themselves. */
  deletedById: number | null;
  deletedAtMs: number | null;
  erasedAtMs: number | null;
  /** When a former member of staff was switched off. */
  personnelEndedAtMs: number | null;
  /** The partner that registered them. */
  partnerId: number | null;
  partnerName: string | null;
}

/** The select of a member by id for staff, deleted ones included. */
export function selectMemberOverview(db: Database) {
  const { members, partners } = db.tables;
  const { id, passwordChangedAtMs } = members;
  const { lastLoginAtMs, erasesAtMs, deletedAtMs, erasedAtMs, personnelEndedAtMs, createdByPartnerId } =
    members;
  const { bannedRoleType, bannedAtMs, bannedById, banReason, deletedById } = members;
  const times = { lastLoginAtMs, erasesAtMs, deletedAtMs, erasedAtMs, personnelEndedAtMs };
  return db
    .select({
      ...memberDetailColumns(db.tables),
      passwordChangedAtMs,
      ...times,
      deletedById,
      bannedRoleType,
      bannedAtMs,
      bannedById,
      banReason,
      partnerId: createdByPartnerId,
      partnerName: partners.name,
    })
    .from(members)
    .leftJoin(partners, eq(partners.id, createdByPartnerId))
    .where(eq(id, sql.placeholder('memberId')));
}
