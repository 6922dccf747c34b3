import { and, eq, ne, or } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { amongIds } from '../page/among-ids.js';
import { isReturning } from './returning-places.js';

/**
 * Makes the memberships of an account that would come back with deleted members await an owner's approval then. Those that staff
 * switched off stay as they are. The account's row is locked.
 * @param which with `memberId` only the membership of that member
 */
export async function suspendReturningPlaces(
  tx: AccessTransaction,
  { accountId, memberId }: { accountId: number; memberId?: number },
): Promise<void> {
  const { members, memberships } = tx.tables;
  const rows = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        memberId === undefined ? undefined : eq(memberships.memberId, memberId),
        isReturning(tx),
      ),
    );
  await suspend(tx, rows);
}

/**
 * Makes the memberships of a member in closed accounts await an owner's approval, so that the accounts come back without the
 * member. Accounts of which the member is the primary owner are left out.
 */
export async function suspendPlacesInClosedAccounts(tx: AccessTransaction, memberId: number): Promise<void> {
  const { accounts, memberships } = tx.tables;
  const rows = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.memberId, memberId),
        or(eq(memberships.isDeleted, false), eq(memberships.endedWithMember, true)),
        eq(accounts.isDeleted, true),
        ne(accounts.ownerId, memberId),
      ),
    );
  await suspend(tx, rows);
}

/** The time of the last change stays: it tells which memberships ended with a member. */
async function suspend(tx: AccessTransaction, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return;
  const { id, active } = tx.tables.memberships;
  const ids = rows.map((row) => row.id);
  await tx.write(
    tx
      .update(tx.tables.memberships)
      .set({ active: false, awaitsOwner: true })
      .where(and(amongIds(tx, id, ids), eq(active, true))),
  );
}
