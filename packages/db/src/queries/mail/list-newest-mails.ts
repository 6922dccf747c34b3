import { desc, notInArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/** The latest mails that were or will be delivered, newest first. */
export async function listNewestMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(notInArray(mailOutbox.state, ['held', 'void']))
    .orderBy(desc(mailOutbox.createdAtMs), desc(mailOutbox.id))
    .limit(limit);
}
