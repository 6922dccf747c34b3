import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';
import { type KnownSubscription, subscriptionColumns, toKnownSubscription } from './known-subscription.js';

/** A custom role of an account. */
export interface CustomRoleRow {
  id: number;
  name: string;
  /** The built-in role it ranks as. */
  roleType: number;
  permissions: string[];
}

/** The account's name, whether it is open, the permissions of its custom roles, and its subscription. */
export interface AccountState {
  id: number;
  name: string;
  /** The primary owner. */
  ownerId: number;
  /** Whether it is deleted; closed accounts are deleted too. */
  isDeleted: boolean;
  createdByPartnerId: number | null;
  /** The level of authentication that a session needs there; 1 asks nothing more. */
  requiredLevel: number;
  /** Since when that counts. */
  requiredFromMs: number | null;
  /** The level that counts until then. */
  requiredUntilThen: number;
  customRoles: CustomRoleRow[];
  /** Null if the account never had one. */
  subscription: KnownSubscription | null;
}

const prepared = prepareRead((db) => {
  const { accounts } = db.tables;
  return accountStates(db).where(eq(accounts.id, sql.placeholder('accountId')));
});

/** The current state of an account, deleted ones included. */
export async function findAccountState(db: Database, accountId: number): Promise<AccountState | undefined> {
  const [state] = toAccountStates(await prepared(db, { accountId }));
  return state;
}

/** Accounts with their payment state, one row for each custom role. */
export function accountStates(db: Database) {
  const { accounts, customRoles, subscriptions } = db.tables;
  const {
    id,
    name,
    ownerId,
    isDeleted,
    createdByPartnerId,
    requiredLevel,
    requiredFromMs,
    requiredUntilThen,
  } = accounts;
  return db
    .select({
      id,
      name,
      ownerId,
      isDeleted,
      createdByPartnerId,
      requiredLevel,
      requiredFromMs,
      requiredUntilThen,
      roleId: customRoles.id,
      roleName: customRoles.name,
      roleType: customRoles.roleType,
      permissions: customRoles.permissions,
      ...subscriptionColumns(db),
    })
    .from(accounts)
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .leftJoin(customRoles, eq(customRoles.accountId, accounts.id));
}

type AccountStateRow = Awaited<ReturnType<typeof accountStates>>[number];

/** One state for each account among the rows. */
export function toAccountStates(rows: readonly AccountStateRow[]): AccountState[] {
  const states = new Map<number, AccountState>();
  for (const row of rows) {
    const {
      id,
      name,
      ownerId,
      isDeleted,
      createdByPartnerId,
      requiredLevel,
      requiredFromMs,
      requiredUntilThen,
    } = row;
    const state = states.get(id) ?? {
      id,
      name,
      ownerId,
      isDeleted,
      createdByPartnerId,
      requiredLevel,
      requiredFromMs,
      requiredUntilThen,
      customRoles: [],
      subscription: toKnownSubscription(row),
    };
    states.set(id, state);
    const { roleId, roleName, roleType, permissions } = row;
    if (roleId !== null && roleName !== null && roleType !== null && permissions !== null)
      state.customRoles.push({ id: roleId, name: roleName, roleType, permissions });
  }
  return [...states.values()];
}
