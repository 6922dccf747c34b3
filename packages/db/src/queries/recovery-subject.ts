import { and, asc, eq, gt, inArray, lt, max } from 'drizzle-orm';
import type { Database } from '../database.js';

const OWNER = 1;

/** Whether a member owns an account: as its primary owner, or by role 1 in it. */
export async function ownsAnAccount(db: Database, memberId: number): Promise<boolean> {
  const { accounts, memberships } = db.tables;
  const owned = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerId, memberId), eq(accounts.isDeleted, false)))
    .limit(1);
  if (owned.length > 0) return true;
  const byRole = await db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.roleType, OWNER),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    )
    .limit(1);
  return byRole.length > 0;
}

/** When a kind of security event last happened to a member since a moment; undefined if it did not. */
export async function findNewestSecurityEvent(
  db: Database,
  { memberId, kind, sinceMs }: { memberId: number; kind: string; sinceMs: number },
): Promise<number | undefined> {
  const { securityEvents } = db.tables;
  const [row] = await db
    .select({ atMs: max(securityEvents.atMs) })
    .from(securityEvents)
    .where(
      and(
        eq(securityEvents.memberId, memberId),
        eq(securityEvents.kind, kind),
        gt(securityEvents.atMs, sinceMs),
      ),
    );
  return row?.atMs ?? undefined;
}

/**
 * Whether a kind of security event happened to a member after the newest one of another kind, in the order of their rows,
 * whatever the clocks of nodes say.
 */
export async function hasSecurityEventAfter(
  db: Database,
  { memberId, kind, after }: { memberId: number; kind: string; after: string },
): Promise<boolean> {
  const { securityEvents } = db.tables;
  const newest = async (of: string) => {
    const [row] = await db
      .select({ id: max(securityEvents.id) })
      .from(securityEvents)
      .where(and(eq(securityEvents.memberId, memberId), eq(securityEvents.kind, of)));
    return row?.id ?? 0;
  };
  return (await newest(kind)) > (await newest(after));
}

/** Keeps a confirmed address that another one replaces. */
export async function insertFormerAddress(
  tx: Database,
  address: { memberId: number; email: string; untilMs: number },
): Promise<void> {
  await tx.insert(tx.tables.formerAddresses, address);
}

/** The confirmed address a member had at a moment; undefined if it is still theirs or no longer kept. */
export async function findFormerAddress(
  db: Database,
  { memberId, atMs }: { memberId: number; atMs: number },
): Promise<string | undefined> {
  const { formerAddresses } = db.tables;
  const [row] = await db
    .select({ email: formerAddresses.email })
    .from(formerAddresses)
    .where(and(eq(formerAddresses.memberId, memberId), gt(formerAddresses.untilMs, atMs)))
    .orderBy(asc(formerAddresses.untilMs))
    .limit(1);
  return row?.email;
}

/** Removes up to `limit` addresses that were replaced before a moment. Returns how many were removed. */
export async function removeFormerAddresses(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { formerAddresses } = db.tables;
  const rows = await db
    .select({ id: formerAddresses.id })
    .from(formerAddresses)
    .where(lt(formerAddresses.untilMs, beforeMs))
    .orderBy(asc(formerAddresses.untilMs))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return db.write(db.delete(formerAddresses).where(inArray(formerAddresses.id, ids)));
}
