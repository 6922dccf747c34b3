import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, not, notExists } from 'drizzle-orm';
import type { Database } from '../database.js';
import { asksMore } from './account-policy.js';
import { lockRows } from './lock-rows.js';
import { startsWith } from './match-text.js';
import { given, prepareRead } from './prepared.js';

/** One line of the audit log. `before` and `after` have no secrets: the caller selects their fields. */
export interface AuditEntry {
  atMs: number;
  /** The action, as `session.started`. */
  action: string;
  actorId?: number | null;
  /** The API key of the machine that acted. */
  keyId?: number | null;
  /** The application that acted for its actor. */
  applicationId?: number | null;
  onBehalfOfId?: number | null;
  accountId?: number | null;
  subjectKind?: string | null;
  subjectId?: number | string | null;
  address?: string | null;
  requestId?: string | null;
  before?: unknown;
  after?: unknown;
}

/** Adds a line to the audit log, in the transaction of the change it describes. */
export async function insertAudit(tx: Database, entry: AuditEntry): Promise<void> {
  const { subjectId, ...rest } = entry;
  await tx.insert(tx.tables.auditLog, {
    ...rest,
    subjectId: subjectId === undefined || subjectId === null ? null : String(subjectId),
  });
}

/** A stored line of the audit log. */
export interface AuditRow {
  id: number;
  atMs: number;
  actorId: number | null;
  keyId: number | null;
  applicationId: number | null;
  /** Null also for one that was erased. */
  applicationName: string | null;
  onBehalfOfId: number | null;
  accountId: number | null;
  action: string;
  subjectKind: string | null;
  subjectId: string | null;
  address: string | null;
  requestId: string | null;
  before: unknown;
  after: unknown;
}

/** The filters of an audit log list. A missing filter restricts nothing. */
export interface AuditFilter {
  actorId?: number | undefined;
  accountId?: number | undefined;
  action?: string | undefined;
  subjectKind?: string | undefined;
  subjectId?: string | undefined;
  requestId?: string | undefined;
  /** The session that reads. Lines of accounts that require a higher level are left out. */
  session?: { readonly level: number; readonly nowMs: number } | undefined;
  /** Inclusive, in epoch milliseconds. */
  fromMs?: number | undefined;
  /** Exclusive, in epoch milliseconds. */
  untilMs?: number | undefined;
}

/** The lines of the audit log that match a filter, newest first; `beforeId` pages on. */
export async function listAudit(
  db: Database,
  filter: AuditFilter,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<AuditRow[]> {
  const { accounts, applications, auditLog } = db.tables;
  const isRefused = filter.session && asksMore(db.tables, filter.session);
  const equal = <Value>(column: Parameters<typeof eq>[0], value: Value | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return db
    .select({ ...getTableColumns(auditLog), applicationName: applications.name })
    .from(auditLog)
    .leftJoin(applications, eq(applications.id, auditLog.applicationId))
    .where(
      and(
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        isRefused &&
          notExists(
            db
              .select({ id: accounts.id })
              .from(accounts)
              .where(and(eq(accounts.id, auditLog.accountId), isRefused)),
          ),
        equal(auditLog.actorId, filter.actorId),
        equal(auditLog.accountId, filter.accountId),
        equal(auditLog.action, filter.action),
        equal(auditLog.subjectKind, filter.subjectKind),
        equal(auditLog.subjectId, filter.subjectId),
        equal(auditLog.requestId, filter.requestId),
        filter.fromMs === undefined ? undefined : gte(auditLog.atMs, filter.fromMs),
        filter.untilMs === undefined ? undefined : lt(auditLog.atMs, filter.untilMs),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

/** When the oldest line of the audit log was written, in epoch milliseconds; undefined if there is none. */
export async function findOldestAudit(db: Database): Promise<number | undefined> {
  const { atMs } = db.tables.auditLog;
  const [row] = await db.select({ atMs }).from(db.tables.auditLog).orderBy(asc(atMs)).limit(1);
  return row?.atMs;
}

/** Removes up to `limit` lines of the audit log from before a moment, oldest first. Returns how many were removed. */
export async function removeAudit(
  tx: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { auditLog } = tx.tables;
  const rows = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(lt(auditLog.atMs, beforeMs))
    .orderBy(asc(auditLog.atMs))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return tx.write(tx.delete(auditLog).where(inArray(auditLog.id, ids)));
}

const findKey = prepareRead<{ key: string }, { memberId: number }>((db) => {
  const { memberKeys } = db.tables;
  const { memberId, key } = memberKeys;
  return db
    .select({ key })
    .from(memberKeys)
    .where(eq(memberId, given(memberId, 'memberId')));
});

/**
 * The encrypted key of a member. Stores the proposed one if there is none; of concurrent calls the first wins
 * for all.
 */
export async function findOrInsertMemberKey(
  tx: Database,
  proposal: { memberId: number; key: () => string; nowMs: number },
): Promise<string> {
  const { memberKeys } = tx.tables;
  const { memberId, nowMs } = proposal;
  const find = async () => (await findKey(tx, { memberId }))[0]?.key;
  const known = await find();
  if (known !== undefined) return known;
  const key = proposal.key();
  if (await tx.insertOnce(memberKeys, { memberId, key, createdAtMs: nowMs })) return key;
  const where = eq(memberKeys.memberId, memberId);
  await lockRows(tx, memberKeys, { column: memberKeys.key, where, mode: 'share' });
  return (await find()) ?? key;
}

/** The encrypted keys of members, by member. Members without a key, and erased ones, are absent. */
export async function listMemberKeys(
  db: Database,
  memberIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (memberIds.length === 0) return new Map();
  const { memberId, key } = db.tables.memberKeys;
  const rows = await db
    .select({ memberId, key })
    .from(db.tables.memberKeys)
    .where(inArray(memberId, [...memberIds]));
  return new Map(rows.map((row) => [row.memberId, row.key]));
}

/** The newest encrypted key of a member; undefined while nobody has one. */
export async function findNewestMemberKey(
  db: Database,
): Promise<{ memberId: number; key: string } | undefined> {
  const { id, memberId, key } = db.tables.memberKeys;
  const [row] = await db.select({ memberId, key }).from(db.tables.memberKeys).orderBy(desc(id)).limit(1);
  return row;
}

/**
 * The keys of members that are not encrypted with the current key. It reads every key, so use it only during
 * a key rotation.
 */
export async function listStaleMemberKeys(
  db: Database,
  { currentPrefix, limit }: { currentPrefix: string; limit: number },
): Promise<{ memberId: number; key: string }[]> {
  const { id, memberId, key } = db.tables.memberKeys;
  return db
    .select({ memberId, key })
    .from(db.tables.memberKeys)
    .where(not(startsWith(key, currentPrefix)))
    .orderBy(asc(id))
    .limit(limit);
}

/** Stores the re-encrypted key of a member, unless it was erased or changed meanwhile. */
export async function setMemberKey(
  db: Database,
  change: { memberId: number; expectedKey: string; key: string },
): Promise<void> {
  const { memberKeys } = db.tables;
  const { memberId, expectedKey, key } = change;
  await db.write(
    db
      .update(memberKeys)
      .set({ key })
      .where(and(eq(memberKeys.memberId, memberId), eq(memberKeys.key, expectedKey))),
  );
}
