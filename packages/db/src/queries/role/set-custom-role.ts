import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

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
