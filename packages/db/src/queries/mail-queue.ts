import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, min, ne, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { type MailRow, mailColumns } from './list-mails.js';
import { lockRows } from './lock-rows.js';
import { notByIndex } from './not-by-index.js';

/** A mail to be stored. The caller has encrypted `subject`, `text` and `html`. */
export interface NewMail {
  idempotencyKey: string;
  kind: string;
  memberId: number | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** `void` mails are never delivered. They exist so that the response takes equally long. */
  state: 'pending' | 'held' | 'void';
  /** How many notices of each subject the mail replaces. */
  merged?: Record<string, number>;
  /** When it is delivered; at once by default. */
  dueAtMs?: number;
  nowMs: number;
}

/** Writes a mail in the transaction of its cause, and returns its id. */
export async function insertMail(
  tx: Database,
  { nowMs, dueAtMs = nowMs, ...mail }: NewMail,
): Promise<number> {
  return tx.insert(tx.tables.mailOutbox, { ...mail, dueAtMs, createdAtMs: nowMs });
}

/**
 * Claims up to `limit` due mails until `leaseUntilMs`, longest waiting first. Only one node claims a mail. It is
 * due again when the lease ends, so the mails of a node that dies are not lost.
 */
export async function claimMails(
  db: Database,
  claim: { leaseToken: string; leaseUntilMs: number; limit: number; nowMs: number },
): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  const { leaseToken, leaseUntilMs, limit, nowMs } = claim;
  const isDue = and(eq(mailOutbox.state, 'pending'), lte(mailOutbox.dueAtMs, nowMs));
  const due = await db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(isDue)
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id).sort((one, other) => one - other);
  const claimed = await db.write(
    db
      .update(mailOutbox)
      .set({ leaseToken, leaseUntilMs, dueAtMs: leaseUntilMs, attempts: sql`${mailOutbox.attempts} + 1` })
      .where(and(inArray(mailOutbox.id, ids), notByIndex(isDue))),
  );
  if (claimed === 0) return [];
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(and(inArray(mailOutbox.id, ids), eq(mailOutbox.leaseToken, leaseToken)))
    .orderBy(asc(mailOutbox.id));
}

/** The outcome of a delivery. */
export type MailOutcome =
  | { state: 'sent'; atMs: number; keepsContent: boolean }
  | { state: 'pending'; dueAtMs: number; reason: string }
  | { state: 'dead'; reason: string; keepsContent: boolean };

const WITHOUT_CONTENT = { subject: '', text: '', html: '' };

/**
 * Records the outcome of a claimed mail. False if it is already recorded, or if it failed and somebody else
 * has the lease. A sent mail counts as sent, even if another node has the lease by then. Content no longer needed is erased,
 * because it may contain a one-use link, and names of others.
 */
export async function setMailOutcome(
  db: Database,
  { id, leaseToken }: { id: number; leaseToken: string },
  outcome: MailOutcome,
): Promise<boolean> {
  const { mailOutbox } = db.tables;
  const rows = await db.write(
    db
      .update(mailOutbox)
      .set({ leaseToken: null, leaseUntilMs: null, ...changesOf(outcome) })
      .where(
        and(
          eq(mailOutbox.id, id),
          eq(mailOutbox.state, 'pending'),
          outcome.state === 'sent' ? undefined : eq(mailOutbox.leaseToken, leaseToken),
        ),
      ),
  );
  return rows === 1;
}

function changesOf(outcome: MailOutcome) {
  switch (outcome.state) {
    case 'sent':
      return {
        state: outcome.state,
        sentAtMs: outcome.atMs,
        lastError: null,
        ...(outcome.keepsContent ? {} : WITHOUT_CONTENT),
      };
    case 'pending':
      return { dueAtMs: outcome.dueAtMs, lastError: outcome.reason };
    case 'dead':
      return {
        state: outcome.state,
        lastError: outcome.reason,
        ...(outcome.keepsContent ? {} : WITHOUT_CONTENT),
      };
  }
}

/** Retries a dead mail. False if it is not dead, or its content is gone. */
export async function setMailDue(db: Database, mailId: number, nowMs: number): Promise<boolean> {
  const { mailOutbox } = db.tables;
  const rows = await db.write(
    db
      .update(mailOutbox)
      .set({ state: 'pending', attempts: 0, dueAtMs: nowMs, lastError: null })
      .where(and(eq(mailOutbox.id, mailId), eq(mailOutbox.state, 'dead'), ne(mailOutbox.text, ''))),
  );
  return rows === 1;
}

/** A pending mail that replaces several notices. */
interface MergedMail {
  id: number;
  idempotencyKey: string;
  merged: Record<string, number> | null;
}

/**
 * The mail to a member's address to which notices can still be added, locked until the transaction ends, so that nobody delivers
 * it meanwhile.
 */
export async function lockMergedMail(
  tx: Database,
  { memberId, recipient, nowMs }: { memberId: number; recipient: string; nowMs: number },
): Promise<MergedMail | undefined> {
  const { mailOutbox } = tx.tables;
  const { id, idempotencyKey, merged } = mailOutbox;
  const isOpen = and(
    eq(mailOutbox.memberId, memberId),
    eq(mailOutbox.recipient, recipient),
    eq(mailOutbox.state, 'pending'),
    eq(mailOutbox.attempts, 0),
    isNull(mailOutbox.leaseToken),
    isNotNull(merged),
    gt(mailOutbox.dueAtMs, nowMs),
  );
  await lockRows(tx, mailOutbox, { column: mailOutbox.sentAtMs, where: isOpen, mode: 'exclusive' });
  const [row] = await tx.select({ id, idempotencyKey, merged }).from(mailOutbox).where(isOpen).limit(1);
  return row;
}

/** Rewrites a mail that `lockMergedMail` locked. The caller has encrypted `subject`, `text` and `html`. */
export async function setMergedMail(
  tx: Database,
  mailId: number,
  mail: { subject: string; text: string; html: string; merged: Record<string, number> },
): Promise<void> {
  const { mailOutbox } = tx.tables;
  await tx.write(tx.update(mailOutbox).set(mail).where(eq(mailOutbox.id, mailId)));
}

/**
 * Removes up to `limit` mails written before `beforeMs` that do not wait for delivery, and `void` ones from
 * before `voidBeforeMs`. Returns how many were removed.
 */
export async function removeOldMails(
  db: Database,
  { beforeMs, voidBeforeMs, limit }: { beforeMs: number; voidBeforeMs: number; limit: number },
): Promise<number> {
  const { mailOutbox } = db.tables;
  const { id, state, createdAtMs } = mailOutbox;
  const old = await db
    .select({ id })
    .from(mailOutbox)
    .where(and(lt(createdAtMs, beforeMs), ne(state, 'pending')))
    .orderBy(asc(createdAtMs))
    .limit(limit);
  const never = await db
    .select({ id })
    .from(mailOutbox)
    .where(and(eq(state, 'void'), lt(mailOutbox.dueAtMs, voidBeforeMs)))
    .limit(limit);
  const ids = [...new Set([...old, ...never].map((row) => row.id))].sort((one, other) => one - other);
  if (ids.length === 0) return 0;
  return db.write(db.delete(mailOutbox).where(and(inArray(id, ids), ne(state, 'pending'))));
}

/** The mails not yet delivered: how many, and the time of the oldest. */
export async function countMailBacklog(
  db: Database,
): Promise<{ waiting: number; oldestCreatedAtMs: number | null }> {
  const { mailOutbox } = db.tables;
  const [row] = await db
    .select({ waiting: count(), oldestCreatedAtMs: min(mailOutbox.createdAtMs) })
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'pending'));
  return { waiting: row?.waiting ?? 0, oldestCreatedAtMs: row?.oldestCreatedAtMs ?? null };
}
