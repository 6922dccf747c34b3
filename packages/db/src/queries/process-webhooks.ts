import { and, asc, count, eq, gt, inArray, isNotNull, lte, min, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import type { WebhookStatus } from '../tables/billing-tables.js';
import { notByIndex } from './not-by-index.js';

/** A new delivery. */
export type NewWebhook = Database['tables']['webhookLog']['$inferInsert'];

/** Stores a delivery. False if its dedupe key exists, so the event is a duplicate. */
export async function insertWebhook(db: Database, row: NewWebhook): Promise<boolean> {
  return db.insertOnce(db.tables.webhookLog, row);
}

/** A stored event for the holder of the lease to apply. */
export interface ClaimedWebhook {
  id: number;
  provider: string;
  endpoint: string;
  eventId: string | null;
  body: string;
  /** How often it was claimed, including this time. */
  attempts: number;
}

/**
 * Claims due events, the longest due first. A conditional update decides between workers. The lease end
 * becomes the new due time, so the events of a worker that dies become due again.
 */
export async function claimWebhooks(
  db: Database,
  {
    leaseToken,
    nowMs,
    leaseMs,
    limit,
  }: { leaseToken: string; nowMs: number; leaseMs: number; limit: number },
): Promise<ClaimedWebhook[]> {
  const { webhookLog } = db.tables;
  const isDue = and(eq(webhookLog.status, 'received'), lte(webhookLog.dueAtMs, nowMs));
  const due = await db
    .select({ id: webhookLog.id })
    .from(webhookLog)
    .where(isDue)
    .orderBy(asc(webhookLog.dueAtMs))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map((row) => row.id);
  const { id, provider, endpoint, eventId, body, attempts } = webhookLog;
  await db.write(
    db
      .update(webhookLog)
      .set({
        leaseToken,
        leaseUntilMs: nowMs + leaseMs,
        dueAtMs: nowMs + leaseMs,
        attempts: sql`${attempts} + 1`,
      })
      .where(and(inArray(id, ids), notByIndex(isDue))),
  );
  return db
    .select({ id, provider, endpoint, eventId, body, attempts })
    .from(webhookLog)
    .where(
      and(
        inArray(id, ids),
        eq(webhookLog.leaseToken, leaseToken),
        notByIndex(eq(webhookLog.status, 'received')),
      ),
    )
    .orderBy(asc(id));
}

const REASON_LENGTH = 500;

/**
 * Records the outcome of a claimed event, in the transaction of its effect. False when another worker has the
 * lease: the transaction must then stop.
 */
export async function finishWebhook(
  tx: Database,
  outcome: {
    id: number;
    leaseToken: string;
    status: 'processed' | 'ignored' | 'failed';
    reason: string | null;
    /** The account it is about. */
    accountId?: number | null;
    nowMs: number;
  },
): Promise<boolean> {
  const { webhookLog } = tx.tables;
  const { status, reason, accountId = null, nowMs } = outcome;
  const rows = await tx.write(
    tx
      .update(webhookLog)
      .set({
        status,
        accountId,
        reason: reason === null ? null : storableBeginning(reason, REASON_LENGTH),
        dueAtMs: null,
        leaseToken: null,
        leaseUntilMs: null,
        processedAtMs: nowMs,
      })
      .where(holds(webhookLog, outcome)),
  );
  return rows === 1;
}

/** Releases a claimed event, to be retried later. */
export async function postponeWebhook(
  db: Database,
  outcome: { id: number; leaseToken: string; dueAtMs: number; reason: string; accountId: number | null },
): Promise<boolean> {
  const { webhookLog } = db.tables;
  const { dueAtMs, reason, accountId } = outcome;
  const rows = await db.write(
    db
      .update(webhookLog)
      .set({
        dueAtMs,
        accountId,
        reason: storableBeginning(reason, REASON_LENGTH),
        leaseToken: null,
        leaseUntilMs: null,
      })
      .where(holds(webhookLog, outcome)),
  );
  return rows === 1;
}

function holds(
  webhookLog: Database['tables']['webhookLog'],
  { id, leaseToken }: { id: number; leaseToken: string },
) {
  return and(eq(webhookLog.id, id), eq(webhookLog.status, 'received'), eq(webhookLog.leaseToken, leaseToken));
}

/**
 * Makes a processed event due again. False for rejected deliveries and duplicates, which have no event, and
 * for events that are still waiting.
 */
export async function replayWebhook(
  tx: Database,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { webhookLog } = tx.tables;
  const rows = await tx.write(
    tx
      .update(webhookLog)
      .set({ status: 'received', attempts: 0, dueAtMs: nowMs, reason: null, processedAtMs: null })
      .where(
        and(
          eq(webhookLog.id, id),
          inArray(webhookLog.status, ['processed', 'ignored', 'failed']),
          isNotNull(webhookLog.dedupeKey),
        ),
      ),
  );
  return rows === 1;
}

/**
 * Removes expired rejected deliveries and duplicates, at most `limit`, and returns how many. Only they have a
 * due time after processing; stored events stay.
 */
export async function removeSpentWebhooks(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const { webhookLog } = db.tables;
  const isSpent = and(inArray(webhookLog.status, ['rejected', 'ignored']), lte(webhookLog.dueAtMs, nowMs));
  const spent = await db.select({ id: webhookLog.id }).from(webhookLog).where(isSpent).limit(limit);
  if (spent.length === 0) return 0;
  const ids = spent.map(({ id }) => id);
  return db.write(db.delete(webhookLog).where(and(inArray(webhookLog.id, ids), isSpent)));
}

/** The stored events not yet applied: how many, and the time of the oldest. */
export async function countWebhookBacklog(
  db: Database,
): Promise<{ waiting: number; oldestReceivedAtMs: number | null }> {
  const { webhookLog } = db.tables;
  const [row] = await db
    .select({ waiting: count(), oldestReceivedAtMs: min(webhookLog.receivedAtMs) })
    .from(webhookLog)
    .where(eq(webhookLog.status, 'received'));
  return { waiting: row?.waiting ?? 0, oldestReceivedAtMs: row?.oldestReceivedAtMs ?? null };
}

/** The content of a delivery. */
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
