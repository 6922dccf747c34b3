import type { Database } from '../database.js';
import { DuplicateKeyError, TransactionConflictError } from '../database-errors.js';
import { databaseInstant } from './database-clock.js';

/**
 * The handle inside `changeAccess`. Queries that change access accept no other handle, so every such change is
 * logged in the same transaction.
 */
export interface AccessTransaction extends Database {
  readonly recordsAccess: true;
  /** The applications that queries have changed. The log names them too. */
  readonly changedApplications: Set<number>;
}

/** The subjects of a transaction that changes access. */
export interface AccessChangeSubjects {
  members?: readonly number[];
  accounts?: readonly number[];
  partners?: readonly number[];
}

/**
 * Changes access and notifies every node: the body and the change-log rows are one transaction. The rows come
 * last, so the time between taking an id and committing is short.
 */
export async function changeAccess<Result>(
  db: Database,
  { members = [], accounts = [], partners = [] }: AccessChangeSubjects,
  body: (tx: AccessTransaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const changedApplications = new Set<number>();
    const result = await body({ ...tx, recordsAccess: true, changedApplications });
    await logChanges(tx, { members, accounts, partners, applications: [...changedApplications] });
    return result;
  });
}

async function logChanges(
  tx: Database,
  {
    members,
    accounts,
    partners,
    applications,
  }: Required<AccessChangeSubjects> & { readonly applications: readonly number[] },
): Promise<void> {
  const atMs = databaseInstant(tx);
  try {
    await tx.insertMany(tx.tables.accessChanges, [
      ...members.map((memberId) => ({ memberId, atMs })),
      ...accounts.map((accountId) => ({ accountId, atMs })),
      ...partners.map((partnerId) => ({ partnerId, atMs })),
      ...applications.map((applicationId) => ({ applicationId, atMs })),
    ]);
  } catch (error) {
    // A tombstone took the id after it was allocated and before it was used. The next run gets another id.
    if (error instanceof DuplicateKeyError) throw new TransactionConflictError({ cause: error });
    throw error;
  }
}
