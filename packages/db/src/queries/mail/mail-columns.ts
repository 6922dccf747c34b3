import type { Tables } from '../../tables/define-tables.js';
import type { MailState } from '../../tables/mail-outbox.js';

/** A stored mail. `text` and `html` are encrypted, and empty once they are no longer needed. */
export interface MailRow {
  id: number;
  idempotencyKey: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  state: MailState;
  attempts: number;
  dueAtMs: number;
  lastError: string | null;
  createdAtMs: number;
  sentAtMs: number | null;
}

/** The columns of a `MailRow`. */
export function mailColumns({ mailOutbox }: Tables) {
  const { id, idempotencyKey, kind, recipient, subject, text, html } = mailOutbox;
  const { state, attempts, dueAtMs, lastError, createdAtMs, sentAtMs } = mailOutbox;
  return {
    id,
    idempotencyKey,
    kind,
    recipient,
    subject,
    text,
    html,
    state,
    attempts,
    dueAtMs,
    lastError,
    createdAtMs,
    sentAtMs,
  };
}
