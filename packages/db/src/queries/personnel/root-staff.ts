import { and, asc, count, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
