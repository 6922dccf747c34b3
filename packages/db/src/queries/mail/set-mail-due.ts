import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Retries a dead mail. False if it is not dead, or its content is gone. */
export async function setMailDue(db: Database, mailId: number, nowMs: number): Promise<boolean> {
  const { mailOutbox } = db.tables;
  const rows = await db.write(
    db
      .update(mailOutbox)
      .set({ state: 'pending', attempts: 0, dueAtMs: nowMs, lastError: null })
      .where(and(eq(mailOutbox.id, mailId), eq(mailOutbox.state, 'dead'), ne(mailOutbox.text, ''))),
  );
  return rows === 1;
}
