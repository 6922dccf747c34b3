import { and, eq, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { type ConsentRow, removeConsentsIn } from './consents.js';
import { lockMember } from './lock-rows.js';
import { inIds } from './paging.js';

/** True for the live memberships of one member, joined to accounts that are not deleted. */
export function isLiveMembership({ accounts, memberships }: Tables, memberId: number): SQL | undefined {
  return and(
    eq(memberships.memberId, memberId),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(accounts.isDeleted, false),
  );
}

/** The role in an account, and whether it gives access. */
interface FoundMembership {
  roleType: number;
  customRoleId: number | null;
  active: boolean;
  /** Whether one that is not active awaits an owner's approval. */
  awaitsOwner: boolean;
}

/** A membership, including a disabled one, but not a removed one. */
export async function findMembership(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<FoundMembership | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select({
      roleType: memberships.roleType,
      customRoleId: memberships.customRoleId,
      active: memberships.active,
      awaitsOwner: memberships.awaitsOwner,
    })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
      ),
    );
  return row;
}

/** Every live membership of one member in an account that is not deleted. */
export async function listLiveMemberships(
  db: Database,
  memberId: number,
): Promise<{ accountId: number; roleType: number }[]> {
  const { accounts, memberships } = db.tables;
  return db
    .select({ accountId: memberships.accountId, roleType: memberships.roleType })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(isLiveMembership(db.tables, memberId));
}

/**
 * Adds a member to an account with a role, or changes their membership there. A new
 * membership locks the member, as every change of a member's access does.
 */
export async function setMembership(
  tx: AccessTransaction,
  membership: {
    memberId: number;
    accountId: number;
    roleType: number;
    /** The custom role that ranks as `roleType`. */
    customRoleId?: number | null;
    active?: boolean;
    /** Who gives the role; as before by default. */
    grantedById?: number;
    nowMs: number;
  },
): Promise<void> {
  const { memberships } = tx.tables;
  const {
    memberId,
    accountId,
    roleType,
    customRoleId = null,
    active = true,
    grantedById,
    nowMs,
  } = membership;
  const granted = grantedById === undefined ? {} : { grantedById };
  const row = {
    roleType,
    customRoleId,
    active,
    awaitsOwner: false,
    heldSinceMs: null,
    isDeleted: false,
    endedByDirectory: false,
    updatedAtMs: nowMs,
    ...granted,
  };
  const isPlace = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  const update = () => tx.write(tx.update(memberships).set(row).where(isPlace));
  // A member who comes back has a new join date.
  await tx.write(
    tx
      .update(memberships)
      .set({ createdAtMs: nowMs })
      .where(and(isPlace, eq(memberships.isDeleted, true))),
  );
  if ((await update()) === 1) return;
  await lockMember(tx, { memberId, nowMs });
  const inserted = await tx.insertOnce(memberships, {
    ...row,
    memberId,
    accountId,
    createdAtMs: nowMs,
  });
  if (!inserted) await update();
}

/**
 * Removes a member from an account, and with it what they let applications do there. The account manages them no longer.
 * @param byDirectory whether the account's directory switches them off: it continues to manage them, and they can come back as
 * they were
 * @returns what that was; undefined if they were not in the account
 */
export async function removeMembership(
  tx: AccessTransaction,
  {
    memberId,
    accountId,
    byDirectory = false,
    nowMs,
  }: { memberId: number; accountId: number; byDirectory?: boolean; nowMs: number },
): Promise<ConsentRow[] | undefined> {
  const { memberships } = tx.tables;
  const rows = await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: true, endedByDirectory: byDirectory, updatedAtMs: nowMs })
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.accountId, accountId),
          eq(memberships.isDeleted, false),
        ),
      ),
  );
  if (!byDirectory) await endManagement(tx, { memberId, accountId, nowMs });
  return rows === 1 ? removeConsentsIn(tx, { memberId, accountId }) : undefined;
}

/** Ends an account's management of a member. A member who returns after that returns as a new user. */
export async function endManagement(
  tx: AccessTransaction,
  { memberId, accountId, nowMs }: { memberId: number; accountId: number; nowMs: number },
): Promise<void> {
  const { members, memberships } = tx.tables;
  const isPlace = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  const isOff = and(isPlace, eq(memberships.endedByDirectory, true));
  await tx.write(tx.update(memberships).set({ endedByDirectory: false }).where(isOff));
  const isTheirs = and(eq(members.id, memberId), eq(members.managedByAccountId, accountId));
  const [managed] = await tx.select({ id: members.id }).from(members).where(isTheirs);
  if (managed === undefined) return;
  const ended = { managedByAccountId: null, updatedAtMs: nowMs };
  await tx.write(tx.update(members).set(ended).where(isTheirs));
}

/** Whether a member has a live membership in one of the accounts. */
export async function sharesAccount(
  db: Database,
  memberId: number,
  accountIds: readonly number[],
): Promise<boolean> {
  if (accountIds.length === 0) return false;
  const { memberships } = db.tables;
  const [shared] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        inIds(db, memberships.accountId, accountIds),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    )
    .limit(1);
  return shared !== undefined;
}

/** The live memberships of several members, in any account. */
export function listMembershipRowsOf(
  db: Database,
  memberIds: readonly number[],
): Promise<{ accountId: number; memberId: number }[]> {
  const { accountId, memberId, isDeleted, active } = db.tables.memberships;
  return db
    .select({ accountId, memberId })
    .from(db.tables.memberships)
    .where(and(inIds(db, memberId, memberIds), eq(isDeleted, false), eq(active, true)));
}
