import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from '../member/name-search/index-member-names.js';
import type { EnrolmentRows } from '../registration/insert-enrolment.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertNew } from './insert-new.js';
import { holdersIn, judgeMember } from './judge-member.js';
import { listMemberHolders, type MemberKeys } from './list-member-holders.js';

/** A member of another system. They keep their id, because tokens contain it. */
export interface ImportedMember extends Omit<EnrolmentRows['member'], 'createdByPartnerId'> {
  id: number;
  isPersonnel: boolean;
  isDeleted: boolean;
  deletedAtMs: number | null;
  defaultPaymentId: number;
  /** Bcrypt rounds of one comparison; null for a hash of our own cost. */
  passwordRounds?: number | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds new members and leaves existing ones unchanged. The outcomes are in the order of the rows. */
export async function importMembers(
  tx: AccessTransaction,
  rows: readonly ImportedMember[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const known = holdersIn<MemberKeys>(await listMemberHolders(tx, rows));
  const outcomes = await insertNew(tx, tx.tables.members, rows, {
    judge(row) {
      const outcome = judgeMember(row, known);
      // No index compares login identifiers with addresses.
      if (outcome === undefined) known.add(row);
      return outcome;
    },
    judgeAgain: async (row) => judgeMember(row, holdersIn(await listMemberHolders(tx, [row]))),
  });
  const added = rows.filter((_, at) => outcomes[at] === 'added');
  await indexMemberNames(
    tx,
    added.map((row) => row.id),
  );
  return outcomes;
}
