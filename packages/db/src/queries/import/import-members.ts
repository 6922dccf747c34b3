import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from '../member-name/index-member-names.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertEach } from './insert-each.js';

/** A member as another system knew them; the id stays, because tokens hold it. */
export interface ImportedMember {
  id: number;
  sid: string;
  sidKey: string;
  username: string;
  usernameKey: string;
  firstName: string;
  firstNameKey: string;
  lastName: string;
  email: string | null;
  emailKey: string | null;
  emailConfirmedAtMs: number | null;
  /** A bcrypt hash. */
  password: string;
  roleType: number;
  role: string;
  isPersonnel: boolean;
  isDeleted: boolean;
  deletedAtMs: number | null;
  defaultPaymentId: number;
  createdAtMs: number;
  updatedAtMs: number;
}

const PROBLEMS = {
  members_sid_key_unique: 'another member has this login identifier',
  members_username_key_unique: 'another member has this username, or one that looks like it',
  members_email_key_unique: 'another member has this e-mail address',
};

/** Adds members who are not there yet, and leaves those who are; the outcomes are in the order of the rows. */
export async function importMembers(
  tx: AccessTransaction,
  rows: readonly ImportedMember[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { id, sidKey } = tx.tables.members;
  const found = await tx
    .select({ id, sidKey })
    .from(tx.tables.members)
    .where(
      inArray(
        id,
        rows.map((row) => row.id),
      ),
    );
  const there = new Map(found.map((row) => [row.id, row.sidKey]));
  const fresh = rows.filter((row) => !there.has(row.id));
  const inserted = await insertEach(tx, tx.tables.members, fresh, PROBLEMS);
  await indexMemberNames(
    tx,
    fresh.map((row) => row.id),
  );
  const added = new Map(fresh.map((row, at) => [row, inserted[at]]));
  return rows.map((row) => {
    const outcome = added.get(row);
    if (outcome !== undefined) return outcome;
    return there.get(row.id) === row.sidKey
      ? 'there'
      : { problem: `member ${row.id} is there already, with another login identifier` };
  });
}
