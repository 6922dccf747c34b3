import { inArray } from 'drizzle-orm';
import type { SubscriptionState } from '../../tables/subscriptions.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import { insertNew } from './insert-new.js';
import { listIdsThere } from './list-ids-there.js';

/** Where the subscription of an account stood; events of its customer at the provider go on from there. */
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

/** Adds the subscriptions of accounts that have none yet, and leaves those that are there. */
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
