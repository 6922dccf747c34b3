import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { countEachUpTo } from './paging.js';

/**
 * Creates a custom role of an account.
 * @throws {DuplicateKeyError} if one of the account's roles has the name
 */
export async function insertCustomRole(
  tx: AccessTransaction,
  role: {
    accountId: number;
    name: string;
    nameKey: string;
    roleType: number;
    permissions: string[];
    nowMs: number;
  },
): Promise<number> {
  const { nowMs, ...row } = role;
  return tx.insert(tx.tables.customRoles, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/**
 * Changes a custom role, and the rank of its members.
 * @throws {DuplicateKeyError} if another role of the account has the name
 */
export async function setCustomRole(
  tx: AccessTransaction,
  role: {
    id: number;
    accountId: number;
    name: string;
    nameKey: string;
    roleType: number;
    permissions: string[];
    nowMs: number;
  },
): Promise<void> {
  const { customRoles, memberships } = tx.tables;
  const { id, accountId, roleType, nowMs, ...row } = role;
  await tx.write(
    tx
      .update(customRoles)
      .set({ ...row, roleType, updatedAtMs: nowMs })
      .where(and(eq(customRoles.id, id), eq(customRoles.accountId, accountId))),
  );
  await tx.write(
    tx
      .update(memberships)
      .set({ roleType, updatedAtMs: nowMs })
      .where(and(eq(memberships.customRoleId, id), eq(memberships.accountId, accountId))),
  );
}

/** How many members have access to the account by each of some custom roles, at most `MAX_COUNTED`. */
export function countRoleHolders(
  db: Database,
  { accountId, customRoleIds }: { accountId: number; customRoleIds: readonly number[] },
): Promise<ReadonlyMap<number, number>> {
  const { memberships } = db.tables;
  const holds = new Map(customRoleIds.map((id) => [id, isHolder(db, { customRoleId: id, accountId })]));
  return countEachUpTo(db, memberships, holds);
}

function isHolder(
  { tables: { memberships } }: Database,
  { customRoleId, accountId }: { customRoleId: number; accountId: number },
): SQL | undefined {
  return and(
    eq(memberships.customRoleId, customRoleId),
    eq(memberships.accountId, accountId),
    eq(memberships.active, true),
    eq(memberships.isDeleted, false),
  );
}

/** The members who have access to the account by a custom role, by ascending id. */
export async function listRoleHolders(
  db: Database,
  role: { customRoleId: number; accountId: number },
): Promise<number[]> {
  const { memberships } = db.tables;
  const rows = await db
    .select({ memberId: memberships.memberId })
    .from(memberships)
    .where(isHolder(db, role))
    .orderBy(asc(memberships.memberId));
  return rows.map(({ memberId }) => memberId);
}

/** Whether an account has a custom role. */
export async function isCustomRole(db: Database, role: { id: number; accountId: number }): Promise<boolean> {
  const { id, accountId } = db.tables.customRoles;
  const [row] = await db
    .select({ id })
    .from(db.tables.customRoles)
    .where(and(eq(id, role.id), eq(accountId, role.accountId)));
  return row !== undefined;
}

/** Removes a custom role that no member has. */
export async function removeCustomRole(
  tx: AccessTransaction,
  { id, accountId }: { id: number; accountId: number },
): Promise<void> {
  const { customRoles } = tx.tables;
  await tx.write(
    tx.delete(customRoles).where(and(eq(customRoles.id, id), eq(customRoles.accountId, accountId))),
  );
}

/** Whether a member or machine has this role, active or not, or somebody is invited to it. Those who are deleted come back without it. */
export async function isRoleInUse(
  db: Database,
  { customRoleId, accountId }: { customRoleId: number; accountId: number },
): Promise<boolean> {
  const { invitations, machines, memberships } = db.tables;
  const [machine] = await db
    .select({ id: machines.id })
    .from(machines)
    .where(and(eq(machines.customRoleId, customRoleId), isNull(machines.removedAtMs)))
    .limit(1);
  if (machine !== undefined) return true;
  const [holder] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.customRoleId, customRoleId), eq(memberships.isDeleted, false)))
    .limit(1);
  if (holder !== undefined) return true;
  const [invited] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(
        // Uses the account's index.
        eq(invitations.accountId, accountId),
        eq(invitations.customRoleId, customRoleId),
        eq(invitations.status, 'open'),
      ),
    )
    .limit(1);
  return invited !== undefined;
}
