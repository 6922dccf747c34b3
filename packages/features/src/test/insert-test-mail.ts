import { randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';

/** What a mail of a test is about. */
export interface TestMail {
  memberId: number | null;
  state: 'pending' | 'sent' | 'dead' | 'void';
  recipient?: string;
  kind?: string;
  lastError?: string | null;
  /** Empty if the text is gone. */
  text?: string;
  createdAtMs?: number;
}

/** Writes a mail that nobody delivers, and returns its id. */
export function insertTestMail(db: Database, mail: TestMail): Promise<number> {
  const nowMs = Date.now();
  return db.insert(db.tables.mailOutbox, {
    idempotencyKey: randomId(),
    kind: 'activation',
    recipient: 'somebody@many.test',
    subject: 'A subject',
    text: 'a sealed text',
    html: 'a sealed text',
    attempts: mail.state === 'dead' ? 8 : 0,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    ...mail,
  });
}
