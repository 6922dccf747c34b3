import type { Database } from '../../database.js';

/** A mail to be stored. The caller has encrypted `text` and `html`. */
export interface NewMail {
  idempotencyKey: string;
  kind: string;
  memberId: number | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** `void` mails are never delivered. They exist so that the response takes equally long. */
  state: 'pending' | 'void';
  nowMs: number;
}

/** Writes a mail in the transaction of its cause, and returns its id. */
export async function insertMail(tx: Database, { nowMs, ...mail }: NewMail): Promise<number> {
  return tx.insert(tx.tables.mailOutbox, { ...mail, dueAtMs: nowMs, createdAtMs: nowMs });
}
