import type { Database } from '../../database.js';

/** A delivery as it is stored when it comes. */
export type NewWebhook = Database['tables']['webhookLog']['$inferInsert'];

/** Stores a delivery; false when its dedupe key is taken, so that the event is here already. */
export async function insertWebhook(db: Database, row: NewWebhook): Promise<boolean> {
  return db.insertOnce(db.tables.webhookLog, row);
}
