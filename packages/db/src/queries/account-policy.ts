import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';

/** The level of authentication that sessions need in an account. */
export interface AccountPolicy {
  /** 1 asks nothing more. */
  requiredLevel: number;
  /** Since when it applies; null for a level that always did. */
  requiredFromMs: number | null;
  /** The level that applies until then. It is never the higher one. */
  requiredUntilThen: number;
}

/** Sets the level of authentication that sessions need in an account, and whether applications may act in it. */
export async function setAccountPolicy(
  tx: AccessTransaction,
  {
    accountId,
    nowMs,
    ...policy
  }: {
    accountId: number;
    nowMs: number;
    allowsAgents?: boolean;
    blockedClientHosts?: string[] | null;
  } & AccountPolicy,
): Promise<void> {
  const { accounts } = tx.tables;
  await tx.write(
    tx
      .update(accounts)
      .set({ ...policy, updatedAtMs: nowMs })
      .where(eq(accounts.id, accountId)),
  );
}

/** How many members an account has, and how many of them have a factor of level 2 or 3. */
export interface FactorsOfAccount {
  members: number;
  withLevel2: number;
  withLevel3: number;
}

/**
 * Counts the people of an account by the level that their factors reach.
 * @param rpId the relying party whose passkeys are included; without it, none are
 */
export async function countFactorsOf(
  db: Database,
  { accountId, rpId }: { accountId: number; rpId: string | undefined },
): Promise<FactorsOfAccount> {
  const { memberships, members, passkeys, totpFactors } = db.tables;
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.memberId} = ${memberships.memberId} and ${passkeys.suspectAtMs} is null and ${passkeys.rpId} = ${rpId ?? null})`;
  const countIf = (condition: SQL) => sql<number>`count(case when ${condition} then 1 end)`.mapWith(Number);
  const [row] = await db
    .select({
      members: count(),
      withLevel2: countIf(sql`${totpFactors.confirmedAtMs} is not null or ${hasPasskey}`),
      withLevel3: countIf(hasPasskey),
    })
    .from(memberships)
    .innerJoin(members, and(eq(members.id, memberships.memberId), eq(members.isDeleted, false)))
    .leftJoin(
      totpFactors,
      and(eq(totpFactors.memberId, memberships.memberId), isNotNull(totpFactors.confirmedAtMs)),
    )
    .where(
      and(
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    );
  return row ?? { members: 0, withLevel2: 0, withLevel3: 0 };
}

/** The open accounts that require a higher level than a session has at a moment, by ascending id. */
export async function listAccountsAbove(
  db: Database,
  { level, nowMs }: { level: number; nowMs: number },
): Promise<number[]> {
  const { id, isDeleted } = db.tables.accounts;
  const rows = await db
    .select({ id })
    .from(db.tables.accounts)
    .where(and(eq(isDeleted, false), asksMore(db.tables, { level, nowMs })))
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}

/** True for accounts, open or closed, that require a higher level than a session has at a moment. */
export function asksMore(
  { accounts }: Tables,
  { level, nowMs }: { level: number; nowMs: number },
): SQL | undefined {
  const { requiredLevel, requiredFromMs, requiredUntilThen } = accounts;
  return and(
    gt(requiredLevel, level),
    or(isNull(requiredFromMs), lte(requiredFromMs, nowMs), gt(requiredUntilThen, level)),
  );
}

/** Which of these accounts, open or closed, require a higher level than a session has at a moment. */
export async function listGivenAccountsAbove(
  db: Database,
  accountIds: readonly number[],
  session: { level: number; nowMs: number },
): Promise<number[]> {
  const { accounts } = db.tables;
  if (accountIds.length === 0) return [];
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, [...new Set(accountIds)]), asksMore(db.tables, session)));
  return rows.map(({ id }) => id);
}
