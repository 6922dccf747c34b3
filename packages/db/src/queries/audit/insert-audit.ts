import type { Database } from '../../database.js';

/** One line of the audit log. `before` and `after` have no secrets: the caller selects their fields. */
export interface AuditEntry {
  atMs: number;
  /** The action, as `session.started`. */
  action: string;
  actorId?: number | null;
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
