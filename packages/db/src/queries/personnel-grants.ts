import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { StaffTransaction } from './change-staff-status.js';
import { baseRole } from './member-columns.js';
import { inAccountScope, type MemberScope } from './member-scope.js';
import { countUpTo } from './paging.js';

/** An account granted to a member of staff. */
export interface PersonnelGrantRow {
  accountId: number;
  accountName: string;
  /** Whether the grant has an effect. Grants of disabled staff are kept without effect. */
  active: boolean;
}

/** A staff member's grants in accounts that are not deleted, by account id: all of them, or those in scope. */
export async function listPersonnelGrants(
  db: Database,
  personnelId: number,
  { scope = { all: true }, limit = Number.MAX_SAFE_INTEGER }: { scope?: MemberScope; limit?: number } = {},
): Promise<PersonnelGrantRow[]> {
  const { accounts, personnelGrants } = db.tables;
  return db
    .select({ accountId: accounts.id, accountName: accounts.name, active: personnelGrants.active })
    .from(personnelGrants)
    .innerJoin(accounts, eq(accounts.id, personnelGrants.accountId))
    .where(
      and(
        eq(personnelGrants.personnelId, personnelId),
        eq(personnelGrants.isDeleted, false),
        eq(accounts.isDeleted, false),
        inAccountScope(db, personnelGrants.accountId, scope),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(limit);
}

/** The accounts granted to a staff member, closed and deleted ones included, by ascending id. */
export async function listGrantedAccountIds(db: Database, personnelId: number): Promise<number[]> {
  const { accountId, isDeleted, personnelId: holder } = db.tables.personnelGrants;
  const rows = await db
    .select({ accountId })
    .from(db.tables.personnelGrants)
    .where(and(eq(holder, personnelId), eq(isDeleted, false)))
    .orderBy(asc(accountId));
  return rows.map((row) => row.accountId);
}

/** How many there are, at most `MAX_COUNTED`; those in deleted accounts, too. */
export function countPersonnelGrants(
  db: Database,
  personnelId: number,
  scope: MemberScope = { all: true },
): Promise<number> {
  const { personnelGrants } = db.tables;
  const isTheirs = and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.isDeleted, false));
  const isInScope = inAccountScope(db, personnelGrants.accountId, scope);
  return countUpTo(db, personnelGrants, and(isTheirs, isInScope));
}

/** A member of staff who was granted an account. */
export interface AccountGrantRow {
  personnelId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  role: string;
  /** Whether the grant is in force, apart from whether they are still staff. */
  active: boolean;
  isPersonnel: boolean;
}

/** The select of the staff granted an account, by their id. */
export function selectGrantsOfAccount(db: Database) {
  const { members, personnelGrants } = db.tables;
  const { username, firstName, lastName, email, role, isPersonnel } = members;
  const roleType = baseRole(db.tables);
  const { personnelId, active } = personnelGrants;
  return db
    .select({ personnelId, username, firstName, lastName, email, roleType, role, active, isPersonnel })
    .from(personnelGrants)
    .innerJoin(members, eq(members.id, personnelId))
    .where(
      and(
        eq(personnelGrants.accountId, sql.placeholder('accountId')),
        eq(personnelGrants.isDeleted, false),
        eq(members.isDeleted, false),
      ),
    )
    .orderBy(asc(personnelId))
    .limit(sql.placeholder('limit'));
}

/** How many there are, at most `MAX_COUNTED`. */
export function countGrantsOfAccount(db: Database, accountId: number): Promise<number> {
  const { personnelGrants } = db.tables;
  return countUpTo(
    db,
    personnelGrants,
    and(eq(personnelGrants.accountId, accountId), eq(personnelGrants.isDeleted, false)),
  );
}

/** Grants a staff member an account, or enables or disables an existing grant. */
export async function setPersonnelGrant(
  tx: StaffTransaction,
  grant: { personnelId: number; accountId: number; active?: boolean; nowMs: number },
): Promise<void> {
  const { personnelGrants } = tx.tables;
  const { personnelId, accountId, active = true, nowMs } = grant;
  const row = { active, isDeleted: false, updatedAtMs: nowMs };
  const update = () =>
    tx.write(
      tx
        .update(personnelGrants)
        .set(row)
        .where(and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.accountId, accountId))),
    );
  if ((await update()) === 1) return;
  const inserted = await tx.insertOnce(personnelGrants, {
    ...row,
    personnelId,
    accountId,
    createdAtMs: nowMs,
  });
  if (!inserted) await update();
}

/** Removes a staff member's grant in an account. False when there was none. */
export async function removePersonnelGrant(
  tx: StaffTransaction,
  { personnelId, accountId, nowMs }: { personnelId: number; accountId: number; nowMs: number },
): Promise<boolean> {
  const { personnelGrants } = tx.tables;
  const rows = await tx.write(
    tx
      .update(personnelGrants)
      .set({ isDeleted: true, updatedAtMs: nowMs })
      .where(
        and(
          eq(personnelGrants.personnelId, personnelId),
          eq(personnelGrants.accountId, accountId),
          eq(personnelGrants.isDeleted, false),
        ),
      ),
  );
  return rows === 1;
}
