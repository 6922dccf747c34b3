import type { Database } from '../../database.js';

/** A mail as it is written down; `text` and `html` are encrypted by the caller. */
export interface NewMail {
  idempotencyKey: string;
  kind: string;
  memberId: number | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** `void` is never delivered: it only takes as long to write as a mail that is. */
  state: 'pending' | 'void';
  nowMs: number;
}

/** Writes a mail in the transaction of what it is about, and returns its id. */
export async function insertMail(tx: Database, { nowMs, ...mail }: NewMail): Promise<number> {
  return tx.insert(tx.tables.mailOutbox, { ...mail, dueAtMs: nowMs, createdAtMs: nowMs });
}
