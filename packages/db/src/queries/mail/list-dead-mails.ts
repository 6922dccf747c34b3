import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/** Mails that expired or were refused, oldest first. */
export async function listDeadMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'dead'))
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
}
