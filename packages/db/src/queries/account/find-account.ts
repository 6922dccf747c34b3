import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';

/** An account with what its closing left behind. */
export interface AccountDetail {
  id: number;
  name: string;
  ownerId: number;
  /** Closed accounts are, too. */
  isDeleted: boolean;
  /** Who closed it; null where nobody did, and where it was deleted before accounts were closed. */
  closedById: number | null;
  /** When what it holds is erased; null unless it is closed and still holds it. */
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
