import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareOnce } from '../prepare-once.js';

/** What decides whether an account is open to anybody, and what it is called. */
export interface AccountState {
  id: number;
  name: string;
  /** The primary owner. */
  ownerId: number;
  isDeleted: boolean;
  createdByPartnerId: number | null;
}

const prepared = prepareOnce((db) => {
  const { accounts } = db.tables;
  const { id, name, ownerId, isDeleted, createdByPartnerId } = accounts;
  return db
    .select({ id, name, ownerId, isDeleted, createdByPartnerId })
    .from(accounts)
    .where(eq(id, sql.placeholder('accountId')))
    .prepare();
});

/** The present state of an account, deleted ones included. */
export async function findAccountState(db: Database, accountId: number): Promise<AccountState | undefined> {
  const [row] = await prepared(db).execute({ accountId });
  return row;
}
