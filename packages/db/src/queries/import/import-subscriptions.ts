import { inArray } from 'drizzle-orm';
import type { SubscriptionState } from '../../tables/subscriptions.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import { insertNew } from './insert-new.js';
import { listIdsThere } from './list-ids-there.js';

/** The state of an account's subscription. Later events of its provider customer change it further. */
export interface ImportedSubscription {
  accountId: number;
  state: SubscriptionState;
  trialEndsAtMs: number | null;
  provider: string | null;
  providerCustomerId: string | null;
  providerSubscriptionId: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds subscriptions of accounts that have none, and leaves existing ones unchanged. */
export async function importSubscriptions(
  tx: AccessTransaction,
  rows: readonly ImportedSubscription[],
): Promise<ImportOutcome[]> {
  const { accounts, subscriptions } = tx.tables;
  const ids = rows.map((row) => row.accountId);
  if (ids.length === 0) return [];
  const known = await tx
    .select({ accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(inArray(subscriptions.accountId, ids));
  const there = new Set(known.map((row) => row.accountId));
  const accountIds = await listIdsThere(tx, accounts, ids);
  return insertNew(tx, subscriptions, rows, {
    judge({ accountId }) {
      if (!accountIds.has(accountId)) return importProblems.noAccount(accountId);
      return there.has(accountId) ? 'there' : undefined;
    },
  });
}
