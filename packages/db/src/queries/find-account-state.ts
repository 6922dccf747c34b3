import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccountSso } from '../tables/account-tables.js';
import type { SubscriptionState } from '../tables/billing-tables.js';
import { inIds } from './paging.js';
import { prepareRead } from './prepared.js';

/** The latest recorded subscription of an account. */
interface KnownSubscription {
  state: SubscriptionState;
  /** Null while the account only has its registration trial. */
  provider: string | null;
  trialEndsAtMs: number | null;
  periodEndsAtMs: number | null;
  cancelAtMs: number | null;
  /** Since when a payment is missing; null if none is. */
  pastDueAtMs: number | null;
  /** The provider's ids of the prices that are paid beside the plan; null for none. */
  addOns: readonly string[] | null;
  /** Whether the provider collects no payments for now; null for no. */
  isCollectionPaused: boolean | null;
}

/** The columns of subscriptions that are part of an account's state. */
export function subscriptionColumns({ tables }: Database) {
  const { state, provider, trialEndsAtMs, periodEndsAtMs, cancelAtMs } = tables.subscriptions;
  const { pastDueAtMs, lastEventAtMs, updatedAtMs, addOns, isCollectionPaused } = tables.subscriptions;
  return {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    addOns,
    isCollectionPaused,
    // Imported rows have no such time.
    pastDueAtMs: sql<
      number | null
    >`case when ${state} = 'past_due' then coalesce(${pastDueAtMs}, ${lastEventAtMs}, ${updatedAtMs}) end`.mapWith(
      Number,
    ),
  };
}

/** The same columns in an outer join. */
export function toKnownSubscription(
  row: Omit<KnownSubscription, 'state'> & { state: SubscriptionState | null },
): KnownSubscription | null {
  const {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    pastDueAtMs,
    addOns,
    isCollectionPaused,
  } = row;
  if (state === null) return null;
  return {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    pastDueAtMs,
    addOns,
    isCollectionPaused,
  };
}

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
  /** Since when that level applies. */
  requiredFromMs: number | null;
  /** The level that applies until then. */
  requiredUntilThen: number;
  /** Whether members may let applications and agents act there. */
  allowsAgents: boolean;
  /** Hosts whose documents describe no application that may act there; null for none. */
  blockedClientHosts: string[] | null;
  /** Its active connections, and whether its members must use them; null if it never had one. */
  sso: AccountSso | null;
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
function accountStates(db: Database) {
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
    allowsAgents,
    blockedClientHosts,
    sso,
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
      allowsAgents,
      blockedClientHosts,
      sso,
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
function toAccountStates(rows: readonly AccountStateRow[]): AccountState[] {
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
      allowsAgents,
      blockedClientHosts,
      sso,
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
      allowsAgents,
      blockedClientHosts,
      sso,
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

/** The current states of several accounts by id, deleted ones included. Unknown ids are absent. */
export async function findAccountStates(
  db: Database,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, AccountState>> {
  const rows = await accountStates(db).where(inIds(db, db.tables.accounts.id, accountIds));
  return new Map(toAccountStates(rows).map((state) => [state.id, state]));
}
