import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/** Mails still to be delivered, next due first. */
export async function listWaitingMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'pending'))
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
}
