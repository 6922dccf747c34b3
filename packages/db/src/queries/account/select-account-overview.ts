import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type AccountDetail, accountDetailColumns } from './find-account.js';

/** An account with who owns it and what it pays for. */
export interface AccountOverview extends AccountDetail {
  ownerUsername: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
  ownerEmail: string | null;
  isOwnerDeleted: boolean | null;
  /** Null where it pays nobody. */
  provider: string | null;
  plan: string | null;
}

/** The select of an account by id for staff, closed and deleted ones included. */
export function selectAccountOverview(db: Database) {
  const { accounts, members, subscriptions } = db.tables;
  return db
    .select({
      ...accountDetailColumns(db.tables),
      ownerUsername: members.username,
      ownerFirstName: members.firstName,
      ownerLastName: members.lastName,
      ownerEmail: members.email,
      isOwnerDeleted: members.isDeleted,
      provider: subscriptions.provider,
      plan: subscriptions.plan,
    })
    .from(accounts)
    .leftJoin(members, eq(members.id, accounts.ownerId))
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(eq(accounts.id, sql.placeholder('accountId')));
}
