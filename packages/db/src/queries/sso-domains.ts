import { type AnyColumn, and, asc, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccountSso } from '../tables/account-tables.js';
import type { Tables } from '../tables/define-tables.js';
import { type AccessTransaction, changeAccess } from './change-access.js';
import { lockRows } from './lock-rows.js';
import { given, prepareRead } from './prepared.js';

/** A domain of an account, whether its record was found or not. */
export type SsoDomain = Tables['ssoDomains']['$inferSelect'];

/** The domains of an account, oldest first. */
export function listSsoDomains(db: Database, accountId: number): Promise<SsoDomain[]> {
  const { ssoDomains } = db.tables;
  return db.select().from(ssoDomains).where(eq(ssoDomains.accountId, accountId)).orderBy(asc(ssoDomains.id));
}

export async function findSsoDomain(
  db: Database,
  { id, accountId }: { id: number; accountId: number },
): Promise<SsoDomain | undefined> {
  const { ssoDomains } = db.tables;
  const [row] = await db
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.id, id), eq(ssoDomains.accountId, accountId)));
  return row;
}

/** @throws {DuplicateKeyError} if the account has the domain already */
export async function insertSsoDomain(
  tx: AccessTransaction,
  domain: Pick<SsoDomain, 'accountId' | 'domain' | 'proof' | 'createdById' | 'createdAtMs'>,
): Promise<number> {
  return tx.insert(tx.tables.ssoDomains, { ...domain, state: 'pending' });
}

/**
 * Records that the record of a domain was found, which verifies it for its account.
 * @throws {DuplicateKeyError} if another account has verified it
 */
export async function setSsoDomainVerified(
  tx: AccessTransaction,
  { id, domain, nowMs, checkDueAtMs }: { id: number; domain: string; nowMs: number; checkDueAtMs: number },
): Promise<void> {
  const { ssoDomains } = tx.tables;
  const verified = {
    state: 'verified' as const,
    verifiedDomain: domain,
    verifiedAtMs: nowMs,
    checkDueAtMs,
    answeredAtMs: nowMs,
    failedDays: 0,
  };
  await tx.write(tx.update(ssoDomains).set(verified).where(eq(ssoDomains.id, id)));
  await announceManaged(tx, id);
}

export async function removeSsoDomain(tx: AccessTransaction, id: number): Promise<void> {
  const { ssoDomains } = tx.tables;
  await announceManaged(tx, id);
  await tx.write(tx.delete(ssoDomains).where(eq(ssoDomains.id, id)));
}

/** Notifies every node of the members whom the account of a domain manages: its domains decide what they reach. */
async function announceManaged(tx: AccessTransaction, id: number): Promise<void> {
  const { members, memberships, ssoDomains } = tx.tables;
  const managed = await tx
    .select({ id: members.id })
    .from(ssoDomains)
    .innerJoin(memberships, eq(memberships.accountId, ssoDomains.accountId))
    .innerJoin(
      members,
      and(eq(members.id, memberships.memberId), eq(members.managedByAccountId, ssoDomains.accountId)),
    )
    .where(eq(ssoDomains.id, id));
  for (let at = 0; at < managed.length; at += ANNOUNCED_AT_ONCE) {
    const ids = managed.slice(at, at + ANNOUNCED_AT_ONCE).map((member) => member.id);
    await changeAccess(tx, { members: ids }, () => Promise.resolve());
  }
}

const ANNOUNCED_AT_ONCE = 500;

/** The verified domains whose record is to be looked for again, at most `limit`. */
export function listDueSsoDomains(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<SsoDomain[]> {
  const { ssoDomains } = db.tables;
  return db
    .select()
    .from(ssoDomains)
    .where(and(isNotNull(ssoDomains.checkDueAtMs), lte(ssoDomains.checkDueAtMs, nowMs)))
    .orderBy(asc(ssoDomains.checkDueAtMs))
    .limit(limit);
}

/** Records a daily check. False if another node has made it, or the domain was removed meanwhile. */
export async function setSsoDomainChecked(
  tx: AccessTransaction,
  {
    id,
    dueAtMs,
    ...checked
  }: { id: number; dueAtMs: number } & Partial<
    Pick<SsoDomain, 'state' | 'verifiedDomain' | 'checkDueAtMs' | 'answeredAtMs' | 'failedDays'>
  >,
): Promise<boolean> {
  const { ssoDomains } = tx.tables;
  const isDue = and(eq(ssoDomains.id, id), eq(ssoDomains.checkDueAtMs, dueAtMs));
  if ((await tx.write(tx.update(ssoDomains).set(checked).where(isDue))) === 0) return false;
  if (checked.verifiedDomain === null) await announceManaged(tx, id);
  return true;
}

/** The account that has verified a domain; undefined if none has. */
export async function findAccountOfDomain(db: Database, domain: string): Promise<number | undefined> {
  const { accounts, ssoDomains } = db.tables;
  const [row] = await db
    .select({ accountId: ssoDomains.accountId })
    .from(ssoDomains)
    .innerJoin(accounts, eq(accounts.id, ssoDomains.accountId))
    .where(and(eq(ssoDomains.verifiedDomain, domain), eq(accounts.isDeleted, false)));
  return row?.accountId;
}

/** The account that has verified a domain, and its single sign-on. */
export interface SsoOfDomain {
  readonly accountId: number;
  readonly sso: AccountSso;
}

const preparedSsoOfDomain = prepareRead((db) => {
  const { accounts, ssoDomains } = db.tables;
  return db
    .select({ accountId: accounts.id, sso: accounts.sso })
    .from(ssoDomains)
    .innerJoin(accounts, eq(accounts.id, ssoDomains.accountId))
    .where(
      and(
        eq(ssoDomains.verifiedDomain, given(ssoDomains.verifiedDomain, 'domain')),
        eq(accounts.isDeleted, false),
      ),
    );
});

/** Undefined for a domain that no account has verified, or one without a connection. */
export async function findSsoOfDomain(db: Database, domain: string): Promise<SsoOfDomain | undefined> {
  const [row] = await preparedSsoOfDomain(db, { domain });
  return row === undefined || row.sso === null ? undefined : { accountId: row.accountId, sso: row.sso };
}

/** Whether an account has verified a domain, which no other can take until the transaction ends. */
export async function isDomainOfAccount(
  db: Database,
  { accountId, domain }: { accountId: number; domain: string },
): Promise<boolean> {
  const { ssoDomains } = db.tables;
  const where = and(eq(ssoDomains.verifiedDomain, domain), eq(ssoDomains.accountId, accountId));
  await lockRows(db, ssoDomains, { column: ssoDomains.createdAtMs, where, mode: 'share' });
  const [row] = await db.select({ id: ssoDomains.id }).from(ssoDomains).where(where);
  return row !== undefined;
}

/** True for an address in a domain. */
export function isAddressIn({ dialect }: Database, address: AnyColumn, domain: AnyColumn): SQL {
  return dialect === 'libsql'
    ? sql`substr(${address}, instr(${address}, '@') + 1) = ${domain}`
    : sql`substring_index(${address}, '@', -1) = ${domain}`;
}
