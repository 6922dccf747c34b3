import type { Database } from '@gatehouse/db';
import type { AuditContext } from '../audit/record-audit.js';

/** The dependencies of partner administration, for the admin service and the command line. */
export interface PartnerChange extends AuditContext {
  readonly db: Database;
  readonly nowMs: number;
  /** The actor for the audit log: a staff member, or the operator at the command line, who has no number. */
  readonly actorId: number | null;
}
