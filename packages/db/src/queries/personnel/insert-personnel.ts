import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from '../member/name-search/index-member-names.js';

/** A new member of staff. */
export interface NewPersonnel {
  email: string;
  emailKey: string;
  username: string;
  usernameKey: string;
  firstName: string;
  firstNameKey: string;
  lastName: string;
  lastNameKey: string;
  /** A bcrypt hash. */
  password: string;
  /** False for a password that nobody knows. */
  hasPassword: boolean;
  roleType: number;
  role: string;
  isPersonnel: boolean;
  /** When a trusted person gave them the password. */
  ownerProvenAtMs?: number;
  /** The accounts granted to them, each once. */
  accountIds: readonly number[];
  nowMs: number;
}

/**
 * Writes a staff member with their grants. They sign in by e-mail address. Returns the id.
 * @throws {DuplicateKeyError} naming the unique index of the address or username that is taken
 */
export async function insertPersonnel(tx: AccessTransaction, person: NewPersonnel): Promise<number> {
  const { nowMs, accountIds, ...row } = person;
  const memberId = await tx.insert(tx.tables.members, {
    ...row,
    sid: row.email,
    sidKey: row.emailKey,
    personnelEndedAtMs: row.isPersonnel ? null : nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  await tx.insertMany(
    tx.tables.personnelGrants,
    accountIds.map((accountId) => ({
      personnelId: memberId,
      accountId,
      active: row.isPersonnel,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  );
  await indexMemberNames(tx, [memberId]);
  return memberId;
}
