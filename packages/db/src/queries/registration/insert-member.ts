import type { AccessTransaction } from '../access/access-transaction.js';

/** The row of a new member. */
export interface NewMember {
  sid: string;
  sidKey: string;
  username: string;
  usernameKey: string;
  firstName: string;
  firstNameKey: string;
  lastName: string;
  lastNameKey: string;
  email: string | null;
  emailKey: string | null;
  emailConfirmedAtMs: number | null;
  /** When the address and a credential were proved together; null until then. */
  ownerProvenAtMs?: number | null;
  /** A bcrypt hash. */
  password: string;
  /** Whether somebody knows the password. */
  hasPassword?: boolean;
  roleType: number;
  role: string;
  createdByPartnerId: number | null;
}

/**
 * Writes a member without an account.
 * @throws {DuplicateKeyError} as `insertEnrolment` does
 */
export async function insertMember(
  tx: AccessTransaction,
  { nowMs, ...member }: NewMember & { nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.members, { createdAtMs: nowMs, updatedAtMs: nowMs, ...member });
}
