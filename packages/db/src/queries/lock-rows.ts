import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { isLiveOrLeaving, type MemberRow, memberColumns } from './member-columns.js';
import { inIds } from './paging.js';

/** `share` lets others read and share the rows; `exclusive` does not. Neither lets others change them. */
export type LockMode = 'share' | 'exclusive';

/** MariaDB has no `FOR SHARE`. */
const CLAUSES: Readonly<Record<LockMode, string>> = { share: 'lock in share mode', exclusive: 'for update' };

/**
 * Locks rows until the transaction ends; later reads in it see them unchanged. The embedded database has one
 * writer and needs no lock.
 * @param column a column outside the indexes: if an index has all selected columns, InnoDB locks only its
 * entry
 */
export async function lockRows(
  tx: Database,
  table: MySqlTable,
  { column, where, mode }: { column: MySqlColumn; where: SQL | undefined; mode: LockMode },
): Promise<void> {
  if (tx.dialect === 'libsql') return;
  await tx
    .select({ column })
    .from(table)
    .where(sql`${where} ${sql.raw(CLAUSES[mode])}`);
}

/** Locks accounts until the transaction ends. */
export async function lockAccountRows(
  tx: Database,
  accountIds: readonly number[],
  mode: LockMode,
): Promise<void> {
  const { accounts } = tx.tables;
  const where = inIds(tx, accounts.id, accountIds);
  await lockRows(tx, accounts, { column: accounts.createdAtMs, where, mode });
}

/**
 * Locks a member until the transaction ends. Every change of a member's access takes this lock exclusively
 * first.
 */
export async function lockMemberRow(tx: Database, memberId: number, mode: LockMode): Promise<void> {
  const { members } = tx.tables;
  await lockRows(tx, members, { column: members.createdAtMs, where: eq(members.id, memberId), mode });
}

/** Locks the memberships, grants and consents of a member until the transaction ends. */
export async function lockReach(tx: Database, memberId: number): Promise<void> {
  const { memberships, personnelGrants, partnerMembers } = tx.tables;
  const mode = 'share';
  await lockRows(tx, memberships, {
    column: memberships.createdAtMs,
    where: eq(memberships.memberId, memberId),
    mode,
  });
  await lockRows(tx, personnelGrants, {
    column: personnelGrants.createdAtMs,
    where: eq(personnelGrants.personnelId, memberId),
    mode,
  });
  await lockRows(tx, partnerMembers, {
    column: partnerMembers.linkedAtMs,
    where: eq(partnerMembers.memberId, memberId),
    mode,
  });
}

/**
 * Locks the session of a token until the transaction ends. A token without a session is revoked by inserting a
 * row, which cannot be locked; that writer locks the member instead.
 */
export async function lockToken(tx: Database, tokenKey: string): Promise<void> {
  const { sessions } = tx.tables;
  const where = eq(sessions.tokenKey, tokenKey);
  await lockRows(tx, sessions, { column: sessions.createdAtMs, where, mode: 'share' });
}

/** Locks an API key until the transaction ends. */
export async function lockApiKey(tx: Database, digest: string): Promise<void> {
  const { apiKeys } = tx.tables;
  const where = eq(apiKeys.digest, digest);
  await lockRows(tx, apiKeys, { column: apiKeys.createdAtMs, where, mode: 'share' });
}

/** The fields of a member that a change needs. */
export interface LockedMember extends MemberRow {
  usernameKey: string;
  emailKey: string | null;
  pendingEmail: string | null;
  /** When they stopped being staff. Null for current staff and for members who never were. */
  personnelEndedAtMs: number | null;
}

/**
 * Locks a member who is not deleted until the transaction ends. A decision made from this row still holds when
 * it is written.
 * @param which with `orLeaving` also one who deleted themselves and is not erased yet
 */
export async function lockMember(
  tx: AccessTransaction,
  { memberId, nowMs, orLeaving = false }: { memberId: number; nowMs: number; orLeaving?: boolean },
): Promise<LockedMember | undefined> {
  const { members } = tx.tables;
  const isLockable = orLeaving ? isLiveOrLeaving(tx.tables) : eq(members.isDeleted, false);
  const isLive = and(eq(members.id, memberId), isLockable);
  const held = await tx.write(tx.update(members).set({ updatedAtMs: nowMs }).where(isLive));
  if (held === 0) return undefined;
  const { usernameKey, emailKey, pendingEmail, personnelEndedAtMs } = members;
  const [row] = await tx
    .select({ ...memberColumns(tx.tables), usernameKey, emailKey, pendingEmail, personnelEndedAtMs })
    .from(members)
    .where(isLive);
  return row;
}
