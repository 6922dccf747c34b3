import { and, desc, eq, gte, lt, notExists } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { asksMore } from '../account-policy/account-policy.js';

/** A stored line of the audit log. */
export interface AuditRow {
  id: number;
  atMs: number;
  actorId: number | null;
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
  /** The session that reads. Lines of accounts that ask for a higher level are left out. */
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
  const { accounts, auditLog } = db.tables;
  const isRefused = filter.session && asksMore(db.tables, filter.session);
  const equal = <Value>(column: Parameters<typeof eq>[0], value: Value | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return db
    .select()
    .from(auditLog)
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
