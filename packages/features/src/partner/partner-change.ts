import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';

/** What administration of partners needs, at the console and at the command line alike. */
export interface PartnerChange {
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly nowMs: number;
  /** Who does it, for the audit log: a member of staff, or the operator at the command line, who has no number. */
  readonly by: {
    readonly actorId: number | null;
    readonly address: string | null;
    readonly requestId: string | null;
  };
}
