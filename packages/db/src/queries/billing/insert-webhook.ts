import type { Database } from '../../database.js';

/** A new delivery. */
export type NewWebhook = Database['tables']['webhookLog']['$inferInsert'];

/** Stores a delivery. False if its dedupe key exists, so the event is a duplicate. */
export async function insertWebhook(db: Database, row: NewWebhook): Promise<boolean> {
  return db.insertOnce(db.tables.webhookLog, row);
}
