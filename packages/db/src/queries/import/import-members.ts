import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from '../member/name-search/index-member-names.js';
import type { EnrolmentRows } from '../registration/insert-enrolment.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertNew } from './insert-new.js';

/** A member as another system knew them; the id stays, because tokens hold it. */
export interface ImportedMember extends Omit<EnrolmentRows['member'], 'createdByPartnerId'> {
  id: number;
  isPersonnel: boolean;
  isDeleted: boolean;
  deletedAtMs: number | null;
  defaultPaymentId: number;
  /** Rounds of bcrypt a comparison takes, null where they are those of a hash of ours. */
  passwordRounds?: number | null;
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
  const outcomes = await insertNew(tx, tx.tables.members, rows, {
    problems: PROBLEMS,
    judge(row) {
      const known = there.get(row.id);
      if (known === undefined) return undefined;
      return known === row.sidKey
        ? 'there'
        : { problem: `member ${row.id} is there already, with another login identifier` };
    },
  });
  const added = rows.filter((_, at) => outcomes[at] === 'added');
  await indexMemberNames(
    tx,
    added.map((row) => row.id),
  );
  return outcomes;
}
