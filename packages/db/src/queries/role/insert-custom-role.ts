import type { AccessTransaction } from '../access/access-transaction.js';

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
