import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type WebhookRow, webhookColumns } from './webhook-columns.js';

/** A delivery with its body. The body of a rejected one is cut after 4 kB. */
export interface WebhookWithBody extends WebhookRow {
  /** The account whose payments it is about, once that is known. */
  accountId: number | null;
  body: string;
  bodyEncoding: 'utf8' | 'base64';
}

export async function findWebhook(db: Database, id: number): Promise<WebhookWithBody | undefined> {
  const { webhookLog } = db.tables;
  const [row] = await db
    .select({
      ...webhookColumns(db.tables),
      accountId: webhookLog.accountId,
      body: webhookLog.body,
      bodyEncoding: webhookLog.bodyEncoding,
    })
    .from(webhookLog)
    .where(eq(webhookLog.id, id));
  return row;
}
