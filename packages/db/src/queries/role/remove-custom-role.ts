import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

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

/** Whether a member has this role, active or not, or is invited to it. Those who are deleted come back without it. */
export async function isRoleInUse(
  db: Database,
  { customRoleId, accountId }: { customRoleId: number; accountId: number },
): Promise<boolean> {
  const { invitations, memberships } = db.tables;
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
