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
  state: 'pending' | 'held' | 'void';
  /** How many notices of each subject the mail stands for. */
  merged?: Record<string, number>;
  /** When it is delivered; at once by default. */
  dueAtMs?: number;
  nowMs: number;
}

/** Writes a mail in the transaction of its cause, and returns its id. */
export async function insertMail(
  tx: Database,
  { nowMs, dueAtMs = nowMs, ...mail }: NewMail,
): Promise<number> {
  return tx.insert(tx.tables.mailOutbox, { ...mail, dueAtMs, createdAtMs: nowMs });
}
