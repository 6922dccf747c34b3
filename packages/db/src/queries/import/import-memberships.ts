import { inArray } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { insertEach } from './insert-each.js';
import { listIdsThere } from './list-ids-there.js';

/** A membership as another system knew it. */
export interface ImportedMembership {
  memberId: number;
  accountId: number;
  roleType: number;
  isDeleted: boolean;
  active: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/**
 * Adds memberships that are not there yet, and leaves those that are. The members are held meanwhile, so that a change of
 * their names cannot pass by the new memberships, which carry them.
 */
export async function importMemberships(
  tx: AccessTransaction,
  rows: readonly ImportedMembership[],
  nowMs: number,
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { members, memberships, accounts } = tx.tables;
  const memberIds = [...new Set(rows.map((row) => row.memberId))];
  await tx.write(tx.update(members).set({ updatedAtMs: nowMs }).where(inArray(members.id, memberIds)));
  const named = await tx
    .select({ id: members.id, usernameKey: members.usernameKey, isDeleted: members.isDeleted })
    .from(members)
    .where(inArray(members.id, memberIds));
  const names = new Map(named.map((row) => [row.id, row.isDeleted ? null : row.usernameKey]));
  const known = await tx
    .select({ memberId: memberships.memberId, accountId: memberships.accountId })
    .from(memberships)
    .where(inArray(memberships.memberId, memberIds));
  const there = new Set(known.map(keyOf));
  const accountIds = await listIdsThere(
    tx,
    accounts,
    rows.map((row) => row.accountId),
  );

  const outcomes: (ImportOutcome | undefined)[] = rows.map((row) => {
    if (!names.has(row.memberId)) return { problem: `member ${row.memberId} is not there` };
    if (!accountIds.has(row.accountId)) return { problem: `account ${row.accountId} is not there` };
    return there.has(keyOf(row)) ? 'there' : undefined;
  });
  const fresh = rows.filter((_, at) => outcomes[at] === undefined);
  const inserted = await insertEach(
    tx,
    memberships,
    fresh.map((row) => ({ ...row, name: names.get(row.memberId) ?? null })),
    {},
  );
  return outcomes.map((outcome) => outcome ?? inserted.shift() ?? 'there');
}

function keyOf({ memberId, accountId }: { memberId: number; accountId: number }): string {
  return `${memberId} ${accountId}`;
}
