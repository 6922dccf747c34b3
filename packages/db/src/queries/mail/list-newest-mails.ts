import { desc, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/** The latest mails, newest first, delivered or not, without `void` ones. */
export async function listNewestMails(db: Database, limit: number): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(ne(mailOutbox.state, 'void'))
    .orderBy(desc(mailOutbox.createdAtMs), desc(mailOutbox.id))
    .limit(limit);
}
