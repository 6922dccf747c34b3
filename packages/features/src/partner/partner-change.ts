import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';

/** The dependencies of partner administration, at the console and the command line. */
export interface PartnerChange {
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly nowMs: number;
  /** The actor for the audit log: a staff member, or the operator at the command line, who has no number. */
  readonly by: {
    readonly actorId: number | null;
    readonly address: string | null;
    readonly requestId: string | null;
  };
}
