import { and, eq, gt, max } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
