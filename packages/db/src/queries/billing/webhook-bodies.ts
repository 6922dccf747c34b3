import { and, asc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { WebhookStatus } from '../../tables/webhook-log.js';

/** What a delivery brought. */
export interface WebhookBody {
  id: number;
  status: WebhookStatus;
  body: string;
  bodyEncoding: 'utf8' | 'base64';
}

/**
 * The deliveries that may contain an address, one part of the log at a time. The search compares letters only
 * and includes escaped and binary bodies, so the caller has to check each delivery.
 * @returns `lastId` is the id after which the next part begins, undefined at the end
 */
export async function listWebhookBodies(
  db: Database,
  { email, afterId, limit }: { email: string; afterId: number; limit: number },
): Promise<{ found: WebhookBody[]; lastId: number | undefined }> {
  const { webhookLog } = db.tables;
  const { id, status, body, bodyEncoding } = webhookLog;
  const part = await db.select({ id }).from(webhookLog).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);
  const lastId = part.at(-1)?.id;
  if (lastId === undefined) return { found: [], lastId };
  // Providers may write a domain in Unicode, and other letters in either case.
  const isPlain = /^[\x21-\x7e]*$/.test(email) && !email.includes('xn--');
  const letters = isPlain ? email.toLowerCase() : '@';
  const found = await db
    .select({ id, status, body, bodyEncoding })
    .from(webhookLog)
    .where(
      and(
        gt(id, afterId),
        lte(id, lastId),
        or(
          sql`instr(lower(${body}), ${letters}) > 0`,
          sql`instr(${body}, ${'\\u'}) > 0`,
          eq(bodyEncoding, 'base64'),
        ),
      ),
    )
    .orderBy(asc(id));
  return { found, lastId: part.length < limit ? undefined : lastId };
}

/** Replaces the body of a delivery, stored as text. */
export async function setWebhookBody(
  db: Database,
  { id, body }: { id: number; body: string },
): Promise<void> {
  const { webhookLog } = db.tables;
  await db.write(db.update(webhookLog).set({ body, bodyEncoding: 'utf8' }).where(eq(webhookLog.id, id)));
}
