import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';

/** An account with the data of its closing. */
export interface AccountDetail {
  id: number;
  name: string;
  ownerId: number;
  /** Whether it is deleted; closed accounts are deleted too. */
  isDeleted: boolean;
  /** Who closed it. Null while it is open, and for accounts deleted before closing existed. */
  closedById: number | null;
  /** When its content is erased. Null unless it is closed and still has content. */
  erasesAtMs: number | null;
  createdAtMs: number;
}

/** The columns of an `AccountDetail`. */
export function accountDetailColumns({ accounts }: Tables) {
  const { id, name, ownerId, isDeleted, closedById, erasesAtMs, createdAtMs } = accounts;
  return { id, name, ownerId, isDeleted, closedById, erasesAtMs, createdAtMs };
}

/** An account by id, closed and deleted ones included. */
export async function findAccount(db: Database, accountId: number): Promise<AccountDetail | undefined> {
  const { accounts } = db.tables;
  const [row] = await db
    .select(accountDetailColumns(db.tables))
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row;
}
