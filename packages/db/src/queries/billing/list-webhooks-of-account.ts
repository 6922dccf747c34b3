import { desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { countUpTo } from '../page/count-up-to.js';
import { prepareRead } from '../prepared.js';
import { type WebhookRow, webhookColumns } from './webhook-columns.js';

const prepared = prepareRead(selectWebhooksOfAccount);

/** The select of the newest deliveries that are about an account. */
export function selectWebhooksOfAccount(db: Database) {
  const { webhookLog } = db.tables;
  return db
    .select(webhookColumns(db.tables))
    .from(webhookLog)
    .where(eq(webhookLog.accountId, sql.placeholder('accountId')))
    .orderBy(desc(webhookLog.id))
    .limit(sql.placeholder('limit'));
}

/** The newest deliveries that are about an account. */
export function listWebhooksOfAccount(db: Database, accountId: number, limit: number): Promise<WebhookRow[]> {
  return prepared(db, { accountId, limit });
}

/** How many there are, at most `MOST_COUNTED`. */
export function countWebhooksOfAccount(db: Database, accountId: number): Promise<number> {
  const { webhookLog } = db.tables;
  return countUpTo(db, webhookLog, eq(webhookLog.accountId, accountId));
}
