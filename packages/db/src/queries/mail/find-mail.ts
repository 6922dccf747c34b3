import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/** A mail by id, except `void` ones, which are never delivered. */
export async function findMail(db: Database, mailId: number): Promise<MailRow | undefined> {
  const { mailOutbox } = db.tables;
  const [row] = await db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, mailId), ne(mailOutbox.state, 'void')));
  return row;
}
